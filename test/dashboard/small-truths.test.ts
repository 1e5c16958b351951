import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { findFaults, hasChromium, openBrowser, openTab } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import { freePort } from '../support/programs.ts'
import { type App, startApp } from '../support/start-app.ts'

describeInBrowser('what the dashboard says', {}, opened => {
  it('the dashboard shows right times in a tab that was hidden, and on a computer with a wrong clock', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open('/dashboard/pets', null)
    // The page was opened an hour ago and becomes visible again now.
    await page.clock.setFixedTime(Date.now() - 3_600_000)
    await page.reload()
    await page.evaluate(`
      window.foretold = []
      new MutationObserver(() => {
        const said = document.body.innerText.match(/Created in .*/)
        if (said) foretold.push(said[0])
      }).observe(document.body, { childList: true, subtree: true, characterData: true })
    `)
    await page.getByLabel('API key').fill(owner.secret)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The store is empty').waitFor()
    await page.clock.setFixedTime(Date.now())
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByText('Created just now').waitFor()
    expect(await page.evaluate('foretold')).toEqual([])
    await page.context().close()

    const late = await opened.open('/dashboard/pets', null)
    await late.clock.setSystemTime(Date.now() - 7_200_000)
    await late.getByLabel('API key').fill(owner.secret)
    await late.getByRole('button', { name: 'Sign in' }).click()
    await owner.get('/v1/pets')
    await late.getByRole('link', { name: 'Overview' }).click()
    await late.getByText(/Resets in 23 h 5\d min/).waitFor()
    await late.context().close()
  })

  it('the dashboard opens in a browser that reports no valid language, as Chromium does with LANG=C', async () => {
    const owner = await opened.app.makeProject()
    for (const language of ['en-US@posix', 'C']) {
      const page = await opened.open('/livez', owner.secret)
      await page.addInitScript(
        `Object.defineProperty(Navigator.prototype, 'language', { get: () => '${language}' })`,
      )
      await page.goto(`${opened.app.url}/dashboard/keys`)
      await page.getByRole('columnheader', { name: 'Key' }).waitFor()
      await page.context().close()
    }
  })

  it('a key that was not used after its rotation shows that its last use was before the rotation', async () => {
    const owner = await opened.app.makeProject()
    const shop = await owner.issueKey()
    await shop.get('/v1/pets')
    await opened.app.tools.usageCounter.flush()
    const mutation = `mutation { rotateApiKey(id: "key_${shop.keyId}") { secret } }`
    await owner.post('/graphql', { query: mutation })
    // Add keys, so that the new key is on another page of the list.
    for (let i = 0; i < 3; i++) await owner.issueKey()

    const page = await opened.open('/dashboard/keys', owner.secret)
    const row = page.getByRole('row').filter({ hasText: 'Rotated, expiring' })
    await row.getByRole('cell', { name: 'Last used just now, before it was rotated' }).waitFor()
    await page.getByText('Not used since it was rotated.').waitFor()
    await page.context().close()
  })

  it('while the store is unreachable the page stays as it was, and Sign out still works', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open('/dashboard/', owner.secret)
    await page.getByRole('meter', { name: 'This minute' }).waitFor()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('columnheader', { name: 'Key' }).waitFor()

    await page.context().setOffline(true)
    await page.getByText('The store cannot be reached').waitFor()
    const { y = 9999, height = 0 } =
      (await page.getByRole('button', { name: 'Sign out' }).boundingBox()) ?? {}
    expect(y + height).toBeLessThanOrEqual(860)
    const answered = page.waitForEvent('requestfailed')
    await page.getByRole('link', { name: 'Overview' }).click()
    await answered
    await page.getByRole('meter', { name: 'This minute' }).waitFor()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('columnheader', { name: 'Key' }).waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.context().close()
  })

  it('while the browser reports no network, the dashboard warns about old data only if the service does not answer', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open('/dashboard/keys', null)
    await page.addInitScript(`Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false })`)
    await page.evaluate(`sessionStorage.setItem('animal-store.key', '${owner.secret}')`)
    await page.reload()
    await page.getByRole('columnheader', { name: 'Key' }).waitFor()
    const banner = page.getByText('What is shown may be out of date.')
    const shop = await owner.issueKey()

    const answered = page.waitForResponse('**/graphql')
    await page.evaluate(`dispatchEvent(new Event('offline'))`)
    await answered
    await page
      .getByText(`${shop.secret.slice(0, 6)}`)
      .first()
      .waitFor()
    expect(await banner.count()).toBe(0)

    await page.route('**/graphql', route => route.abort())
    await page.evaluate(`dispatchEvent(new Event('offline'))`)
    await banner.waitFor()
    // The automatic retry succeeds once the store is back.
    await page.unroute('**/graphql')
    await banner.waitFor({ state: 'detached', timeout: 20_000 })
    await page.context().close()
  })

  it('while the service fails, the content stays and the reason is shown beside it', async () => {
    const owner = await opened.app.makeProject()
    await owner.post('/v1/pets', { name: 'Nimbus', categoryId: 7 })
    const page = await opened.open('/dashboard/pets', owner.secret)
    await page.getByRole('rowheader', { name: 'Nimbus' }).waitFor()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('columnheader', { name: 'Key' }).waitFor()
    await page.route('**/graphql', route => route.abort())

    await page.getByRole('link', { name: 'Pets' }).click()

    await page.getByText('What is shown may be out of date.').waitFor()
    expect(await page.getByRole('rowheader', { name: 'Nimbus' }).isVisible()).toBe(true)
    expect(await findFaults(page)).toEqual([])
    await page.unroute('**/graphql')
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('What is shown may be out of date.').waitFor({ state: 'detached' })
    await page.context().close()
  })

  it('a temporary error keeps the last content of a page, a permanent error removes the content, and incomplete data is never shown', async () => {
    const owner = await opened.app.makeProject()
    await owner.post('/v1/pets', { name: 'Nimbus', categoryId: 7 })
    const page = await opened.open('/dashboard/pets', owner.secret)
    const nimbus = page.getByRole('rowheader', { name: 'Nimbus' })
    await nimbus.waitFor()
    const askAgain = () => page.evaluate(`dispatchEvent(new Event('online'))`)
    const half = { pets: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } } }
    const answerWith = async (code: string) => {
      await page.unrouteAll()
      const errors = [{ message: `It is ${code}.`, extensions: { code } }]
      await page.route('**/graphql', route => route.fulfill({ json: { data: half, errors } }))
      await askAgain()
    }

    for (const code of ['rate_limited', 'key_banned', 'unavailable', 'internal_error']) {
      await answerWith(code)
      await page.getByText(`What is shown may be out of date. It is ${code}.`).waitFor()
      expect(await nimbus.isVisible()).toBe(true)
    }
    await answerWith('insufficient_scope')
    await page.getByText('You don’t have access to this').waitFor()
    expect(await nimbus.count()).toBe(0)
    await page.context().close()
  })

  it('no request of the dashboard has a Referer header', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open('/dashboard/', null)
    const referrers: string[] = []
    const note = ({ referer = '' }: Record<string, string>) => void referrers.push(referer)
    // Ignore the error of a request that is still pending when the page closes: its headers never arrive.
    page.on('request', request => void request.allHeaders().then(note, () => {}))
    await page.getByLabel('API key').fill(owner.secret)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Pets' }).click()
    await page.getByText('The store is empty').waitFor()

    await expect.poll(() => referrers.length).toBeGreaterThan(3)
    expect(new Set(referrers)).toEqual(new Set(['']))
    await page.context().close()
  })

  it('the dashboard links to the API reference, and the API reference links to the dashboard', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open('/dashboard/', owner.secret)
    await page.getByRole('link', { name: 'Reference' }).first().click()
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.context().close()
  })
})

describe.skipIf(!hasChromium)(
  'copying on plain HTTP under a host name other than localhost',
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

    it('on plain HTTP the copy buttons copy the whole key of a dialog and the whole command of a page', async () => {
      const owner = await app.makeProject()
      const page = await openTab(browser, owner.secret)
      await page.goto(`${url}/dashboard/keys`)
      await page.getByRole('button', { name: 'Issue key' }).click()
      await page.getByLabel('Name').fill('Copied')
      await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click()
      await page.getByRole('button', { name: 'Copy the API key' }).click()
      await page.getByText('Copied the API key.').waitFor({ state: 'attached' })
      const secret = (await page.getByLabel('The new API key').textContent()) ?? ''
      await page.getByRole('button', { name: 'Done' }).click()

      await page.getByRole('button', { name: 'Issue key' }).click()
      await page.getByLabel('Name').press('Control+V')
      expect(await page.getByLabel('Name').inputValue()).toBe(secret)
      await page.keyboard.press('Escape')

      await page.getByRole('link', { name: 'Overview' }).click()
      await page.getByRole('button', { name: 'Copy the REST line' }).click()
      await page.getByText('Copied the REST line.').waitFor({ state: 'attached' })
      await page.getByRole('link', { name: 'API keys' }).click()
      await page.getByRole('button', { name: 'Issue key' }).click()
      await page.getByLabel('Name').press('Control+V')
      const line = await page.getByLabel('Name').inputValue()
      expect(line).toContain(`Bearer ${owner.secret}'`)
      const { status } = await ask(`${app.url}/v1/pets`, {
        headers: { authorization: /Bearer \w+/.exec(line)?.[0] ?? '' },
      })
      expect(status).toBe(200)
    })

    it('if the browser refuses to copy, the whole line is shown selected', async () => {
      const owner = await app.makeProject()
      const page = await openTab(browser, owner.secret)
      await page.addInitScript('document.execCommand = () => false')
      await page.goto(`${url}/dashboard/`)
      await page.getByRole('button', { name: 'Copy the REST line' }).click()

      await page.getByText('The browser does not allow copying').waitFor()
      await expect.poll(() => page.evaluate<string>('String(getSelection())')).toContain(`${owner.secret}'`)
      expect(await findFaults(page)).toEqual([])
    })
  },
)
