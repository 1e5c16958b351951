import { beforeAll, expect, it } from 'vitest'
import { findFaults, openPart, rulesOfLooks } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import { furnishTour, showIn, tourSettings, walkTour } from '../support/dashboard-tour.ts'
import { findUnseen } from '../support/page-sight.ts'

const wide = { colorScheme: 'light', forcedColors: 'none', viewport: { width: 1280, height: 860 } } as const
const looks = {
  'forced colours': { ...wide, forcedColors: 'active' },
  'forced colours, dark, 360 px wide': {
    colorScheme: 'dark',
    forcedColors: 'active',
    viewport: { width: 360, height: 740 },
  },
  // A window of 1280 x 1024 px at 400 % has as many CSS pixels (WCAG 2.2, 1.4.10).
  'dark, zoomed to 400 %': {
    colorScheme: 'dark',
    forcedColors: 'none',
    viewport: { width: 320, height: 256 },
  },
} as const

const inGate = ['a signed-out visitor', 'a new member', 'a key that lacks permissions'] as const
/** Their pages take minutes, so they are looked at with `LOOKS=1 npx vitest run test/dashboard/every-look.test.ts`. */
const slow = ['an owner’s key', 'an owner’s key that changes things', 'an operator'] as const

describeInBrowser('in every look', { env: tourSettings }, opened => {
  let tour: Awaited<ReturnType<typeof furnishTour>>
  beforeAll(async () => {
    tour = await furnishTour(opened.app)
  }, 90_000)

  it.each(process.env.LOOKS ? [...inGate, ...slow] : inGate)(
    'every page of %s can be read and used with forced colours and at 400 %',
    async visitor => {
      const { key, stops } = tour.visitors[visitor]
      const page = await opened.open('/livez', key)
      const faults: string[] = []
      await walkTour(page, {
        ...{ url: opened.app.tools.config.publicUrl, stops, say: text => text },
        async arrive(name) {
          const part = await openPart(page)
          for (const [look, settings] of Object.entries(looks)) {
            await showIn(page, settings)
            // Browsers show the focus to readers who use the keyboard.
            await page.keyboard.press('Shift')
            const found = [
              ...(await findFaults(page, {
                part,
                rules: settings.forcedColors === 'active' ? ['color-contrast'] : rulesOfLooks,
              })),
              ...(await findUnseen(page)),
            ]
            faults.push(...found.map(each => `${name}, ${look}: ${each}`))
          }
          await showIn(page, wide)
        },
      })
      expect(faults).toEqual([])
      await page.context().close()
    },
    240_000,
  )

  it('a transition in a closed part, which never ends, holds up no look at a page', async () => {
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
