import { beforeAll, expect, it } from 'vitest'
import { findFaults, openPart, rulesOfLooks } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import { furnishTour, showIn, tourSettings, walkTour } from '../support/dashboard-tour.ts'
import { findUnseen } from '../support/page-sight.ts'
import { findLayoutFaults } from '../support/page-texts.ts'

const sizes = {
  wide: { width: 1280, height: 860 },
  narrow: { width: 360, height: 740 },
  // A window of 1280 x 1024 px that is zoomed to 400 % has 320 x 256 CSS pixels (WCAG 2.2, 1.4.10).
  'at 400 %': { width: 320, height: 256 },
}
const colourSchemes = ['light', 'dark'] as const
const forcedColours = ['none', 'active'] as const
type Look = {
  name: string
  colorScheme: 'light' | 'dark'
  forcedColors: 'none' | 'active'
  viewport: { width: number; height: number }
}
const looks: Look[] = colourSchemes.flatMap(colorScheme =>
  forcedColours.flatMap(forcedColors =>
    Object.entries(sizes).map(([size, viewport]) => ({
      name: [colorScheme, ...(forcedColors === 'active' ? ['forced colours'] : []), size].join(', '),
      ...{ colorScheme, forcedColors, viewport },
    })),
  ),
)
const [first] = looks as [Look]

const isLong = Boolean(process.env.LOOKS)
const looksInGate = [
  'light, wide',
  'light, forced colours, wide',
  'dark, forced colours, narrow',
  'dark, at 400 %',
]
const tried = looks.filter(({ name }) => isLong || looksInGate.includes(name))
const visitorsInGate = ['a signed-out visitor', 'a new member', 'a key that lacks permissions'] as const
/** All visitors in all looks take minutes, so only `npm run looks` tries them all. */
const visitors = isLong
  ? ([...visitorsInGate, 'an owner’s key', 'an owner’s key that changes things', 'an operator'] as const)
  : visitorsInGate

describeInBrowser('in every look', { env: tourSettings }, opened => {
  let tour: Awaited<ReturnType<typeof furnishTour>>
  beforeAll(async () => {
    tour = await furnishTour(opened.app)
  }, 90_000)

  it.each(visitors)(
    'every page of %s can be read and used in every size, with forced colours and at 400 %',
    async visitor => {
      const { key, stops } = tour.visitors[visitor]
      const page = await opened.open('/livez', key)
      const faults: string[] = []
      await walkTour(page, {
        ...{ url: opened.app.tools.config.publicUrl, stops, say: text => text },
        async arrive(name) {
          const part = await openPart(page)
          for (const { name: look, ...settings } of tried) {
            await showIn(page, settings)
            // Press a key, because browsers show the focus only to readers who use the keyboard.
            await page.keyboard.press('Shift')
            const rules = settings.forcedColors === 'active' ? ['color-contrast'] : rulesOfLooks
            const found = [
              ...(await findFaults(page, isLong || look === first.name ? { part } : { part, rules })),
              ...(await findUnseen(page)),
              ...(await findLayoutFaults(page)),
            ]
            faults.push(...found.map(each => `${name}, ${look}: ${each}`))
          }
          await showIn(page, first)
        },
      })
      expect(faults).toEqual([])
      await page.context().close()
    },
    isLong ? 1_200_000 : 240_000,
  )

  it('the check of a page for faults ends even if a closed details element of the page contains a transition that never ends', async () => {
    const page = await opened.open('/livez')
    await page.setContent(`<html lang=en><title>Closed</title><main><h1>Closed</h1>
      <style>button { transition: color 0.1s; color: #000 } @media (prefers-color-scheme: dark) { button { color: #333 } }</style>
      <details><summary>JSON</summary><button>Copy</button></details></main>`)
    const readColour = () => page.evaluate<string>("getComputedStyle(document.querySelector('button')).color")
    await readColour()
    await page.emulateMedia({ colorScheme: 'dark' })
    await readColour()
    expect(await page.evaluate('document.getAnimations().length')).toBe(1)

    expect(await findFaults(page)).toEqual([])

    await page.context().close()
  })
})
