import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFaults, hasChromium, openBrowser, openTab, overflow } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import { freePort } from '../support/programs.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

describeInBrowser('a page whose code is missing', {}, opened => {
  let owner: TestProject
  beforeAll(async () => {
    owner = await opened.app.makeProject()
  })
  const openOverview = async (look = {}) => {
    const page = await opened.open('/dashboard/', owner.secret, look)
    await page.getByRole('meter', { name: 'This minute' }).waitFor()
    return page
  }

  it('while the service is stopped a page shows a message and a retry button, and opens once the service is back', async () => {
    for (const look of [
      { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
      { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
    ] as const) {
      const page = await openOverview(look)
      await page.context().route('**/*', route => route.abort('connectionrefused'))

      await page.getByRole('link', { name: 'Pets' }).click()

      await page.getByText('This page could not be loaded').waitFor()
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('The service still does not answer').waitFor()
      // The rest of the page stays usable.
      await page.getByRole('link', { name: 'Overview' }).click()
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()

      // Block the page's own retry: it would reload the page under the click.
      const ownRequest = page.waitForEvent('requestfailed', request => request.method() === 'HEAD')
      await page.getByRole('link', { name: 'Pets' }).click()
      await page.getByText('This page could not be loaded').waitFor()
      await ownRequest
      await page.context().unroute('**/*')
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('The store is empty').waitFor()
      await page.context().close()
    }
  })

  it('a page that was opened without a network opens by itself when the network is back', async () => {
    const page = await openOverview()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Pets' }).click()
    await page.getByText('This page could not be loaded').waitFor()

    await page.context().setOffline(false)

    await page.getByText('The store is empty').waitFor()
    await page.context().close()
  })

  it('a page whose code was renamed by a release reloads itself once', async () => {
    const page = await openOverview()
    await page.route('**/assets/pets-*', route => route.fulfill({ status: 404, body: '' }), { times: 1 })

    await page.getByRole('link', { name: 'Pets' }).click()

    await page.getByText('The store is empty').waitFor()
    await page.context().close()
  })

  it('if the JavaScript of the invitation page is missing, the page reloads itself once and keeps the invitation link', async () => {
    const page = await opened.open('/livez')
    await page.route('**/assets/invitation-*', route => route.fulfill({ status: 404, body: '' }), {
      times: 1,
    })

    await page.goto(`${opened.app.url}/dashboard/invitation#as_of_nothing`)

    await page.getByRole('heading', { name: 'Invitation' }).waitFor()
    await page.getByText('This link was used, withdrawn or has expired').waitFor()
    await page.context().close()
  })

  it('a page whose code stays missing reloads only once', async () => {
    const page = await openOverview()
    let loads = 0
    page.on('load', () => loads++)
    await page.route('**/assets/pets-*', route => route.fulfill({ status: 404, body: '' }))
    const loadedAnew = page.waitForEvent('load')

    await page.getByRole('link', { name: 'Pets' }).click()

    await loadedAnew
    await page.getByText('This page could not be loaded').waitFor()
    expect(loads).toBe(1)
    await page.unroute('**/assets/pets-*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The store is empty').waitFor()
    await page.context().close()
  })
})

describeInBrowser('a part of a page whose code is missing', {}, opened => {
  const missing = 'A part of this page could not be loaded. Reload the page to try again.'
  let owner: TestProject
  beforeAll(async () => {
    owner = await opened.app.makeProject()
  })
  const openWithout = async (path: string, files: string) => {
    const page = await opened.open('/livez', owner.secret)
    await page.route(files, route => route.fulfill({ status: 404, body: '' }))
    await page.goto(`${opened.app.url}${path}`)
    return page
  }

  it('if a part of the overview cannot be loaded, the overview shows a message instead of that part, and shows everything else', async () => {
    const page = await openWithout('/dashboard/', '**/assets/attention-*')

    await page.getByText(missing).first().waitFor()

    await page.getByRole('meter', { name: 'This minute' }).waitFor()
    await page.getByRole('heading', { name: 'Deprecated API calls' }).waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.context().close()
  })

  it.each([
    ['the search', 'palette', 'Control+k'],
    ['the list of shortcuts', 'shortcuts-help', '?'],
  ])(
    'if the code of %s cannot be loaded, a message says so and the page stays as it is',
    async (_, file, keys) => {
      const page = await openWithout('/dashboard/pets', `**/assets/${file}-*`)
      await page.getByText('The store is empty').waitFor()

      await page.keyboard.press(keys)

      await page.getByText(missing).waitFor()
      await page.getByText('The store is empty').waitFor()
      await page.unroute(`**/assets/${file}-*`)
      await page.reload()
      await page.getByText('The store is empty').waitFor()
      await page.keyboard.press(keys)
      await page.getByRole('dialog').waitFor()
      await page.context().close()
    },
  )

  it('if the code of the usage download cannot be loaded, a message says so and the button can be pressed again', async () => {
    const page = await openWithout('/dashboard/', '**/assets/csv-*')
    const button = page.getByRole('button', { name: 'CSV' })

    await button.click()

    await page.getByText(missing).waitFor()
    await expect.poll(() => button.getAttribute('aria-disabled')).toBeNull()
    await page.context().close()
  })
})

describeInBrowser('a page with a fault of its own', {}, opened => {
  it('an error inside a page is shown as a sentence, and the menu stays', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open('/dashboard/keys', owner.secret)
    await page.getByRole('columnheader', { name: 'Key' }).waitFor()
    // An answer that no version of the service gives, and that the page cannot render.
    await page.route('**/graphql', route => route.fulfill({ json: { data: { pets: { nodes: null } } } }))

    await page.getByRole('link', { name: 'Pets' }).click()

    await page.getByRole('heading', { name: 'Something went wrong on this page' }).waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.unroute('**/graphql')
    await page.reload()
    await page.getByText('The store is empty').waitFor()
  })
})

describe.skipIf(!hasChromium)(
  'the dashboard on plain HTTP under a host name other than localhost',
  { timeout: 90_000 },
  () => {
    let app: App
    let browser: Awaited<ReturnType<typeof openBrowser>>
    let url = ''
    beforeAll(async () => {
      const port = await freePort()
      url = `http://store.test:${port}`
      ;[app, browser] = await Promise.all([
        startApp({ env: { PORT: String(port), PUBLIC_URL: url } }),
        openBrowser(['--host-resolver-rules=MAP store.test 127.0.0.1']),
      ])
    })
    afterAll(async () => {
      await browser?.close()
      await app?.stop()
    })

    it('a pet is added in a browser without randomUUID', async () => {
      const { secret } = await app.makeProject()
      const page = await openTab(browser, secret)
      await page.goto(`${url}/dashboard/pets`)
      expect(await page.evaluate('isSecureContext')).toBe(false)

      await page.getByRole('button', { name: 'Add pet' }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Add pet' })
      await dialog.getByLabel('Name').fill('Nimbus')
      await dialog.getByLabel('Category').fill('7')
      await dialog.getByRole('button', { name: 'Add pet' }).click()

      await page.getByRole('rowheader', { name: 'Nimbus' }).waitFor()
    })
  },
)
