import { afterAll, beforeAll, expect, it } from 'vitest'
import { findFaults, openPart } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import { furnishTour, showIn, tourSettings, walkTour } from '../support/dashboard-tour.ts'
import { collectData, findTextFaults } from '../support/page-texts.ts'
import { buildPseudoLanguage, dialogPlaces } from '../support/pseudo-language.ts'
import { accent } from '../support/pseudo-texts.ts'

const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const

describeInBrowser('in the pseudo-language', { env: tourSettings }, opened => {
  let tour: Awaited<ReturnType<typeof furnishTour>>
  let language: Awaited<ReturnType<typeof buildPseudoLanguage>>
  const opens = new Set<string>()
  beforeAll(async () => {
    // Build first and add the data afterwards: during a build this process cannot read the database's answers in time.
    language = await buildPseudoLanguage()
    tour = await furnishTour(opened.app)
  }, 90_000)
  afterAll(() => language?.remove())

  it.each([
    'a signed-out visitor',
    'a new member',
    'an owner’s key',
    'an owner’s key that changes things',
    'a key that lacks permissions',
    'an operator',
  ] as const)(
    'on wide and narrow pages of %s, all texts come from the catalogue, nothing is cut off, and axe finds no fault',
    async visitor => {
      const { key, stops } = tour.visitors[visitor]
      const page = await opened.open('/livez', key, { locale: 'ar-EG' })
      await language.serve(page)
      const data = collectData(page)
      const faults: string[] = []
      await walkTour(page, {
        ...{ url: opened.app.tools.config.publicUrl, stops, say: accent, leave: data.startOver },
        async arrive(name) {
          // Two pages show a part of their URL, which is not in the catalogue: the slug of the project, or `nowhere`.
          const known = new Set([...(await data.all()), tour.owner.project.slug, 'nowhere'])
          for (const look of looks) {
            await showIn(page, look)
            const found = [
              // Run all rules of axe in the first look only, because test/dashboard/every-look.test.ts runs the rules
              // whose result depends on the look in other looks too.
              ...(look === looks[0] ? await findFaults(page, { part: await openPart(page) }) : []),
              ...(await findTextFaults(page, known)),
            ]
            faults.push(...found.map(each => `${name}, ${look.viewport.width} px wide: ${each}`))
          }
          await showIn(page, looks[0])
          for (const place of await page.evaluate<string[]>('Object.keys(window.dialogs ?? {})'))
            opens.add(place)
        },
      })
      expect(faults).toEqual([])
      await page.context().close()
    },
    240_000,
  )

  it('the text check finds a text outside the catalogue, a text that is cut off, and a border across a text', async () => {
    const page = await opened.open('/livez')
    await page.setContent(`<title>Ţîíţļê</title><p>Ĥêļļôó ļêƒţ
      <div style="width: 40px; overflow: hidden; white-space: nowrap">Ĥôóŵ ļôóñĝ ţĥîíš ţêéẋţ îíš</div>
      <div style="border-right: 1px solid; width: 40px; height: 80px; white-space: nowrap">Ĥôóŵ ļôóñĝ îíţ îíš</div>
      <p>Left over, Biscuit</p>`)
    const found = await findTextFaults(page, new Set(['Biscuit']))
    expect(found.map(each => each.split(': ')[0])).toEqual(['not of the catalogue', 'cut off', 'border'])
    await page.context().close()
  })

  it('together, the tests of this file open every dialog of the dashboard', () => {
    expect(dialogPlaces.length).toBeGreaterThan(30)
    expect([...opens].sort()).toEqual([...dialogPlaces].sort())
  })

  it('in English too, dates and numbers are those of the reader’s language, region and time zone', async () => {
    const { json } = await tour.owner.get(`/v1/store/orders/${tour.orderId}`)
    const { placedAt } = json as { placedAt: string }
    const timeZone = 'Pacific/Auckland'
    const spelled = new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', timeStyle: 'short', timeZone })
    const reader = { locale: 'de-DE', timezoneId: timeZone }
    const page = await opened.open(`/dashboard/orders/${tour.orderId}`, tour.owner.secret, reader)
    await page
      .getByText(spelled.format(new Date(placedAt)))
      .first()
      .waitFor()
    await page.goto(`${opened.app.url}/dashboard/`)
    await page.getByText(/^of \d{1,3}(\.\d{3})+ requests$/).waitFor()
    await page.context().close()
  })
})
