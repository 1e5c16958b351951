import { beforeAll, expect, it } from 'vitest'
import { findFaults } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import type { TestProject } from '../support/start-app.ts'

describeInBrowser('a session', {}, opened => {
  let owner: TestProject
  beforeAll(async () => {
    owner = await opened.app.makeProject()
  })
  const signIn = async () => {
    const page = await opened.open('/dashboard/', null)
    await page.getByLabel('API key').fill(owner.secret)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    return page
  }

  it('a new tab gets the session of an open tab, only sessionStorage holds the session, and signing out ends the session in all tabs', async () => {
    const page = await signIn()
    const beside = await page.context().newPage()
    // The clock stands still, so that the tab waits for the other one, however busy the machine is.
    await beside.clock.install()
    await beside.clock.pauseAt(Date.now() + 60_000)
    await beside.goto(`${opened.app.url}/dashboard/keys`)
    await expect.poll(() => beside.evaluate(`sessionStorage.getItem('animal-store.key')`)).not.toBeNull()
    await beside.clock.resume()
    await beside.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
    const storage = await beside.evaluate<string>('JSON.stringify(localStorage) + document.cookie')
    expect(storage).not.toContain(owner.secret)

    await beside.getByRole('button', { name: 'Sign out' }).click()
    await beside.getByLabel('API key').waitFor()
    await page.getByLabel('API key').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await page.evaluate(`sessionStorage.getItem('animal-store.key')`)).toBeNull()
    await page.context().close()
  })

  it('closing all tabs ends the session', async () => {
    const page = await signIn()
    const context = page.context()
    await page.close()
    const later = await context.newPage()
    await later.goto(`${opened.app.url}/dashboard/`)
    await later.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await later.getByLabel('API key').inputValue()).toBe('')
    await context.close()
  })

  it('the session survives a reload while the service is away', async () => {
    const page = await signIn()
    const errors = [{ message: 'The store is away.', extensions: { code: 'unavailable' } }]
    await page.route('**/graphql', route => route.fulfill({ status: 503, json: { errors } }))
    await page.reload()
    await page.getByText('The store is away.').waitFor()

    await page.unroute('**/graphql')
    await page.getByRole('button', { name: 'Try again' }).click()

    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.context().close()
  })

  it('after a sign-out in one tab, a tab that is signed in with another key stays signed in', async () => {
    const other = await opened.app.makeProject()
    const page = await signIn()
    const beside = await page.context().newPage()
    await beside.addInitScript(`sessionStorage.setItem('animal-store.key', '${other.secret}')`)
    await beside.goto(`${opened.app.url}/dashboard/`)
    await beside.getByText(other.project.slug).last().waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    await beside.getByRole('link', { name: 'API keys' }).click()
    await beside.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
    await page.context().close()
  })
})

describeInBrowser('how the dashboard looks', {}, opened => {
  it('the theme is light, dark or the system’s, and is remembered', async () => {
    const { secret } = await opened.app.makeProject()
    const page = await opened.open('/dashboard/', secret, { colorScheme: 'dark' })
    const paper = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
    const [light, dark] = ['rgb(250, 249, 246)', 'rgb(20, 20, 19)']
    await page.getByRole('button', { name: 'Theme: system' }).click()
    expect(await paper()).toBe(light)
    expect(await findFaults(page)).toEqual([])
    await page.reload()
    expect(await paper()).toBe(light)
    const later = await page.context().newPage()
    await later.goto(`${opened.app.url}/dashboard/`)
    await later.getByRole('button', { name: 'Theme: light' }).waitFor()
    await later.close()
    await page.getByRole('button', { name: 'Theme: light' }).click()
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await paper()).toBe(dark)
    await page.getByRole('button', { name: 'Theme: dark' }).click()
    expect(await paper()).toBe(light)
    await page.context().close()
  })

  it('the first load of the dashboard transfers less than 110 KB', async () => {
    const { secret } = await opened.app.makeProject()
    const page = await opened.open('/livez', null)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
    const addresses = new Map<string, string>()
    const loaded: [number, string][] = []
    devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
      addresses.set(requestId, `${request.url} ${request.postData?.slice(0, 40) ?? ''}`)
    })
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      loaded.push([encodedDataLength, addresses.get(requestId) ?? 'another page'])
    })
    await page.goto(`${opened.app.url}/dashboard/`)
    await page.getByLabel('API key').fill(secret)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('meter', { name: 'Today' }).waitFor()
    await page.waitForLoadState('networkidle')

    const bytes = loaded.reduce((sum, [length]) => sum + length, 0)
    expect(bytes).toBeGreaterThan(20_000)
    expect(bytes, JSON.stringify(loaded, null, 1)).toBeLessThan(110_000)
    await page.context().close()
  })
})
