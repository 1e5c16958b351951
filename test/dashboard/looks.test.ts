import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { findFaults, overflow } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import type { TestProject } from '../support/start-app.ts'

const phone = { viewport: { width: 360, height: 740 } }

describeInBrowser('the look of the dashboard', {}, opened => {
  let owner: TestProject
  beforeAll(async () => {
    owner = await opened.app.makeProject({ plan: 'pro' })
    for (let n = 0; n < 3; n++) await owner.issueKey()
    const { json } = await owner.post('/v1/pets', { name: 'Nimbus', categoryId: 7 })
    await owner.post('/v1/store/orders', { petId: (json as { id: number }).id })
  })
  const box = async (page: Page, selector: string) => {
    await page.locator(selector).first().waitFor()
    return (await page.locator(selector).first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  }

  it('with forced colours, the used part of a meter has another colour than the rest of the meter', async () => {
    const page = await opened.open('/dashboard/', owner.secret, { forcedColors: 'active' })
    await page.getByRole('meter', { name: 'Today' }).waitFor()
    const colours = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.track, .track span')].map(each => getComputedStyle(each).backgroundColor)`,
    )
    expect(colours[1]).not.toBe(colours[0])
    expect(await findFaults(page)).toEqual([])
    await page.context().close()
  })

  it('from right to left, the navigation is at the right', async () => {
    const page = await opened.open('/dashboard/', owner.secret)
    await page.evaluate(`document.documentElement.dir = 'rtl'`)
    await page.locator('h1').waitFor()
    const { x, width } = await box(page, '.side')
    expect(x + width).toBe(1280)
    expect((await box(page, '.main')).x).toBeLessThan(x)
    await page.context().close()
  })

  it.each([
    ['pets', 400],
    ['orders', 330],
    ['keys', 300],
  ])(
    'on a phone the first row of the list at /dashboard/%s begins less than %i px below the top of the page',
    async (path, most) => {
      const page = await opened.open(`/dashboard/${path}`, owner.secret, phone)
      expect((await box(page, 'tbody tr')).y).toBeLessThan(most)
      expect(await overflow(page)).toBe(0)
      await page.context().close()
    },
  )

  it('on a phone the statuses of a pet and an order fit on one line', async () => {
    await owner.post('/v1/pets', { name: 'Stratus', categoryId: 7, status: 'available' })
    for (const [path, shown] of [
      ['pets', '.badge.good'],
      ['orders', '.badge.wait >> visible=true'],
    ] as const) {
      const page = await opened.open(`/dashboard/${path}`, owner.secret, phone)
      expect((await box(page, shown)).height).toBeLessThan(30)
      await page.context().close()
    }
  })

  it('a row of the list of keys is less than 80 px high', async () => {
    const page = await opened.open('/dashboard/keys', owner.secret)
    const { height } = await box(page, 'tbody tr')
    expect(height).toBeLessThan(80)
    await page.context().close()
  })

  it('in a project of forty domains, only the domains with a redirect have a field for the redirect', async () => {
    const projectId = owner.project.id
    const now = new Date(opened.app.tools.clock.now())
    await opened.app.tools.db.domain.createMany({
      data: Array.from({ length: 40 }, (_, n) => ({
        projectId,
        name: `shop${n}.paws.test`,
        createdAt: now,
        looksSince: now,
      })),
    })
    const page = await opened.open('/dashboard/settings/addresses', owner.secret)
    await page.getByLabel('Primary domain').waitFor()
    expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThan(900)
    await page.getByLabel('Redirect another domain').selectOption('shop7.paws.test')
    await page.getByRole('combobox', { name: 'shop7.paws.test', exact: true }).selectOption('shop8.paws.test')
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByText('Nothing to publish.').waitFor()
    expect(await page.getByRole('combobox', { name: 'shop7.paws.test', exact: true }).count()).toBe(0)
    await page.context().close()
  })
})
