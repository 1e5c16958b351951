import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

/** A policy by the names of its directives. */
const read = (policy: unknown) =>
  Object.fromEntries(
    String(policy)
      .split('; ')
      .map(directive => [directive.split(' ')[0], directive.split(' ').slice(1).sort()]),
  )
const page = (accept = 'text/html') => app.ask('/graphql', { headers: { accept } })

describe('Sandbox', () => {
  test('loads from here and from Apollo alone, sends nothing elsewhere and is in no frame', async () => {
    const { headers } = await page()

    const apollo = ['', 'cdn.', 'embed.'].map(part => `https://*.${part}apollographql.com`)
    const of = (...sources: string[]) => [...sources, ...apollo].sort()
    expect(read(headers['content-security-policy'])).toEqual({
      ...{ 'default-src': ["'none'"], 'base-uri': ["'none'"], 'form-action': ["'none'"] },
      'frame-ancestors': ["'none'"],
      'script-src': of("'self'", "'unsafe-inline'"),
      'style-src': of("'self'", "'unsafe-inline'", 'https://fonts.googleapis.com'),
      'font-src': ['https://fonts.gstatic.com'],
      'img-src': of("'self'", 'data:'),
      ...{ 'manifest-src': of(), 'frame-src': of(), 'connect-src': of("'self'") },
    })
  })

  test('is asked for anew each time, and is no answer to who wants one', async () => {
    const { headers } = await page()

    expect(headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'Accept, Accept-Encoding' })
    expect(headers['content-type']).toMatch(/^text\/html/)
    expect(headers['x-ratelimit-limit']).toBeUndefined()
  })

  test('says whose store it is, sends to it alone and tells Apollo nothing', async () => {
    const { text } = await page()

    expect(text).toContain(`<h1>Animal Store at ${app.tools.config.publicUrl}/graphql</h1>`)
    expect(text).toContain('<a href="/graphql/ide">The editor at /graphql/ide</a> needs no network.')
    expect(text).toContain('#embeddableSandbox:empty { display: none }')
    expect(text).not.toContain('Welcome to Apollo Server')
    expect(text).toMatch(/"runTelemetry":false/)
    expect(text).toMatch(/"endpointIsEditable":false/)
    expect(text).toContain('pets(first: 5)')
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
  ])('is shown to who asks for %s: %s', async (accept, isShown) => {
    const query = new URLSearchParams({ query: '{ __typename }' })
    const headers = { accept, 'apollo-require-preflight': '1' }

    const { status, headers: told, text } = await app.ask(`/graphql?${query}`, { headers })

    expect(status).toBe(200)
    expect(String(told['content-type']).startsWith('text/html')).toBe(isShown)
    expect(text.includes('"__typename":"Query"')).toBe(!isShown)
  })

  test('is nothing that a POST could ask for', async () => {
    const headers = { accept: 'text/html', 'content-type': 'application/json' }
    const sent = await app.ask('/graphql', { method: 'POST', headers, body: '{"query":"{ __typename }"}' })

    expect(sent.status).toBe(406)
  })
})

describe('the editor', () => {
  test.each(['', '/start.js', '/main.js', '/styles.css'])(
    'loads from here alone, and its own pages alone may show it in a frame: %s',
    async path => {
      const { status, headers } = await app.ask(`/graphql/ide${path}`)

      expect(status).toBe(200)
      expect(read(headers['content-security-policy'])).toEqual({
        ...{ 'default-src': ["'none'"], 'form-action': ["'none'"] },
        ...{ 'script-src': ["'self'"], 'style-src': ["'self'", "'unsafe-inline'"] },
        ...{ 'img-src': ["'self'", 'data:'], 'font-src': ["'self'", 'data:'] },
        ...{ 'connect-src': ["'self'"], 'worker-src': ["'self'", 'blob:'] },
        ...{ 'frame-src': ["'self'"], 'base-uri': ["'self'"], 'frame-ancestors': ["'self'"] },
      })
    },
  )

  test('sends to this door, wants no account and shows nobody’s banners', async () => {
    const [main, start] = [await app.ask('/graphql/ide'), await app.ask('/graphql/ide/start.js')]

    expect(main.headers['content-type']).toMatch(/^text\/html/)
    expect(main.text).toContain('<base href="/graphql/ide/">')
    expect(main.text).toContain('src="start.js"')
    expect(start.headers['content-type']).toMatch(/^text\/javascript/)
    expect(start.text).toContain('endpointURL: `/graphql`')
    expect(start.text).toContain("'banners.disable': true")
    expect(start.text).toContain('disableAccount: true')
    expect(start.text).toContain('pets(first: 5)')
  })

  test('lets its files be kept for an hour', async () => {
    const { headers } = await app.ask('/graphql/ide/main.js')

    expect(headers['cache-control']).toBe('public, max-age=3600')
  })
})

test('what is switched off is no page and no file', async () => {
  const own = await startApp({ env: { GRAPHQL_SANDBOX: '0' } })
  const asked = ['/graphql', '/graphql/ide', '/graphql/ide/start.js', '/graphql/ide/main.js'].map(path =>
    own.ask(path, { headers: { accept: 'text/html' } }),
  )
  const answers = await Promise.all(asked)
  await own.stop()

  for (const { status, headers, text } of answers) {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(headers['content-security-policy']).toBeUndefined()
    expect(text).not.toMatch(/altair|sandbox/i)
  }
})
