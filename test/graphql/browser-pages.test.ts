import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, openBrowser } from '../support/browser.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

describe('the page at /graphql', () => {
  test('the page at /graphql loads nothing, runs no script, has an opaque origin and cannot be framed', async () => {
    const { headers, text } = await app.ask('/graphql', { headers: { accept: 'text/html' } })

    const policy = String(headers['content-security-policy'])
    expect(policy.replace(/sha256-[^']+/, 'sha256-…').split('; ')).toEqual([
      'sandbox allow-popups allow-popups-to-escape-sandbox',
      "default-src 'none'",
      "style-src 'sha256-…'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
    expect(text).not.toContain('<script')
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'Accept, Accept-Encoding' })
    expect(headers['content-type']).toMatch(/^text\/html/)
    expect(headers['x-ratelimit-limit']).toBeUndefined()
  })

  test('the page at /graphql links to Apollo Sandbox, and the link holds the address of /graphql, a first query and an empty Authorization header', async () => {
    const { text } = await app.ask('/graphql', { headers: { accept: 'text/html' } })

    const link = /href="(https:[^"]+)" target="_blank" rel="noopener noreferrer"/.exec(text)?.[1] ?? ''
    const { origin, pathname, searchParams } = new URL(link.replaceAll('&amp;', '&'))
    expect(origin + pathname).toBe('https://studio.apollographql.com/sandbox/explorer')
    expect(searchParams.get('endpoint')).toBe(`${app.tools.config.publicUrl}/graphql`)
    expect(searchParams.get('document')).toContain('pets(first: 5)')
    expect(searchParams.get('headers')).toBe('{"Authorization":""}')
    expect(text).toContain('href="/reference/graphql#graphql-queries"')
  })

  test.each([
    ['text/html', true],
    ['TEXT/HTML', true],
    ['text/*', true],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['text/html;q=0.9, application/json;q=0.8', true],
    ['application/json, text/html', false],
    ['application/json, text/plain, */*', false],
    ['text/plain, */*', false],
    ['text/html;q=0.5, application/graphql-response+json', false],
    ['application/json', false],
    ['*/*', false],
  ])('a GET with Accept: %s gets the page for browsers: %s', async (accept, isShown) => {
    const query = new URLSearchParams({ query: '{ __typename }' })
    const headers = { accept, 'apollo-require-preflight': '1' }

    const { status, headers: answerHeaders, text } = await app.ask(`/graphql?${query}`, { headers })

    expect(status).toBe(200)
    expect(String(answerHeaders['content-type']).startsWith('text/html')).toBe(isShown)
    expect(text.includes('"__typename":"Query"')).toBe(!isShown)
  })

  test('a POST that accepts only HTML is rejected', async () => {
    const headers = { accept: 'text/html', 'content-type': 'application/json' }
    const sent = await app.ask('/graphql', { method: 'POST', headers, body: '{"query":"{ __typename }"}' })

    expect(sent.status).toBe(406)
  })

  test('the page at /graphql cannot read the API key that the dashboard stores in the same tab', async ({
    skip,
  }) => {
    if (!hasChromium) return skip('chromium is not installed')
    const browser = await openBrowser()
    try {
      const tab = await browser.newPage()
      const readKey = () =>
        tab.evaluate<string>(`(() => {
          try { return String(sessionStorage.getItem('animal-store.key')) } catch (error) { return error.name }
        })()`)
      await tab.goto(`${app.url}/reference`)
      await tab.evaluate(`sessionStorage.setItem('animal-store.key', 'as_secret')`)

      await tab.goto(`${app.url}/graphql`)

      expect(await tab.title()).toBe('GraphQL · Animal Store')
      expect(await tab.evaluate('self.origin')).toBe('null')
      expect(await readKey()).toBe('SecurityError')
      // The key is still stored: only the page at /graphql cannot read it. Check this at /reference, because the
      // dashboard would forget this wrong key.
      await tab.goto(`${app.url}/reference`)
      expect(await readKey()).toBe('as_secret')
    } finally {
      await browser.close()
    }
  })
})

test('the page at /graphql is not shown if it is switched off', async () => {
  const own = await startApp({ env: { GRAPHQL_SANDBOX: '0' } })
  const { status, headers, text } = await own.ask('/graphql', { headers: { accept: 'text/html' } })
  await own.stop()

  expect(status).toBeGreaterThanOrEqual(400)
  expect(headers['content-security-policy']).toBeUndefined()
  expect(text).not.toMatch(/sandbox/i)
})

test('the former editor at /graphql/ide is gone', async () => {
  for (const path of ['/graphql/ide', '/graphql/ide/main.js', '/graphql/ide/start.js'])
    expect((await app.ask(path)).text).not.toMatch(/altair/i)
})
