import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../support/dashboard.ts'
import { furnishUse } from '../support/month-of-use.ts'
import type { TestProject } from '../support/start-app.ts'

describeInBrowser('a page is shown as soon as its code and its data have arrived', {}, opened => {
  let owner: TestProject
  beforeAll(async () => {
    owner = await opened.app.makeProject()
  })
  /**
   * Opens the list of orders and stops the clock of the page, so that nothing on the page can wait for a time. The clock
   * is replaced before the page loads, because React keeps the functions of the clock that it finds.
   */
  async function openWithoutTime({ secret } = owner): Promise<Page> {
    const page = await opened.open('/livez', secret)
    await page.clock.install()
    await page.goto(`${opened.app.url}/dashboard/orders`)
    await heading(page, 'Orders')
    await page.clock.pauseAt(Date.now() + 60_000)
    return page
  }
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

  it('after a click the next page appears without any delay, also with the history', async () => {
    const page = await openWithoutTime()

    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('rowheader').first().waitFor()
    await page.goBack()
    await heading(page, 'Orders')
    await page.goForward()
    await page.getByRole('rowheader').first().waitFor()
    await page.context().close()
  })

  it('while the code of the next page is on its way, the present page stays; after 200 ms a placeholder is shown', async () => {
    const page = await openWithoutTime()
    const asked = Promise.withResolvers<() => Promise<void>>()
    await page.route('**/assets/keys-*', route => asked.resolve(() => route.continue()))
    const placeholders = page.locator('main > .skeleton')

    await page.getByRole('link', { name: 'API keys' }).click()
    const answer = await asked.promise
    await page.clock.runFor(150)
    await heading(page, 'Orders')
    expect(await placeholders.count()).toBe(0)
    await page.clock.runFor(100)
    await placeholders.waitFor()
    await answer()

    await page.getByRole('rowheader').first().waitFor()
    expect(await placeholders.count()).toBe(0)
    await page.context().close()
  })

  it('a second click does not wait for the code of the first one', async () => {
    const page = await openWithoutTime()
    const asked = Promise.withResolvers<() => Promise<void>>()
    await page.route('**/assets/keys-*', route => asked.resolve(() => route.continue()))

    await page.getByRole('link', { name: 'API keys' }).click()
    const answer = await asked.promise
    await page.getByRole('link', { name: 'Deploys' }).click()
    await heading(page, 'Deploys')
    const arrived = page.waitForEvent('requestfinished', request => request.url().includes('/assets/keys-'))
    await answer()
    await arrived

    await heading(page, 'Deploys')
    expect(new URL(page.url()).pathname).toBe('/dashboard/deploys')
    await page.context().close()
  })

  it('a search that was typed just before a click does not filter the next page', async () => {
    const page = await openWithoutTime()
    await page.getByRole('link', { name: 'Pets' }).first().click()
    await heading(page, 'Pets')
    const asked = Promise.withResolvers<() => Promise<void>>()
    await page.route('**/assets/keys-*', route => asked.resolve(() => route.continue()))

    await page.getByRole('searchbox').fill('Rex')
    await page.clock.runFor(200)
    await page.getByRole('link', { name: 'API keys' }).click()
    const answer = await asked.promise
    await page.clock.runFor(150)
    await answer()

    await page.getByRole('rowheader').first().waitFor()
    expect(page.url()).toBe(`${opened.app.url}/dashboard/keys`)
    await page.goBack()
    await heading(page, 'Pets')
    expect(page.url()).toBe(`${opened.app.url}/dashboard/pets?name=Rex`)
    await page.context().close()
  })

  it('Back goes back at once, also while the code of the next page is on its way', async () => {
    const page = await openWithoutTime()
    await page.getByRole('link', { name: 'Deploys' }).click()
    await heading(page, 'Deploys')
    const asked = Promise.withResolvers<() => Promise<void>>()
    await page.route('**/assets/keys-*', route => asked.resolve(() => route.continue()))

    await page.getByRole('link', { name: 'API keys' }).click()
    const answer = await asked.promise
    await page.goBack()
    await heading(page, 'Orders')
    const arrived = page.waitForEvent('requestfinished', request => request.url().includes('/assets/keys-'))
    await answer()
    await arrived

    await page.clock.runFor(300)
    await heading(page, 'Orders')
    expect(page.url()).toBe(`${opened.app.url}/dashboard/orders`)
    await page.context().close()
  })

  it('the parts of the overview appear without any delay', async () => {
    const used = await opened.app.makeProject()
    await furnishUse(opened.app.tools, used.project.id, [used.keyId])
    const page = await openWithoutTime(used)

    await page.getByRole('link', { name: 'Overview' }).click()

    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    await page.getByText('Show as table').waitFor()
    await page.context().close()
  })
})
