import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, openBrowser, openTab } from '../support/browser.ts'
import { graphqlOf } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let browser: Browser | undefined
beforeAll(async () => {
  app = await startApp()
  if (hasChromium) browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await app.stop()
})

async function storeOf(name: string): Promise<TestProject> {
  const store = await app.makeProject()
  await store.post('/v1/pets', { name, categoryId: 1 })
  return store
}

const addresses = [
  '/v1/pets',
  '/v1/pets?limit=5',
  `/graphql?query=${encodeURIComponent('{pets{nodes{name}}}')}`,
]

describe('a browser with two keys', () => {
  it.for(addresses)(
    'a browser never shows the pets that it cached for another key, at %s',
    async (address, { skip }) => {
      if (!browser) return skip('chromium is not installed')
      const [mine, others] = [await storeOf('Mine'), await storeOf('Others')]
      const page = await openTab(browser, null)
      await page.goto(`${app.url}/livez`)
      const ask = (store: TestProject | null, cache: string) =>
        page.evaluate<string>(`fetch(${JSON.stringify(address)}, {
        cache: '${cache}',
        mode: 'same-origin',
        headers: ${store ? JSON.stringify({ authorization: `Bearer ${store.secret}` }) : '{}'},
      }).then(answer => answer.text(), () => 'nothing kept')`)

      const before = [await ask(mine, 'default'), await ask(others, 'default')]
      const after = [
        await ask(mine, 'only-if-cached'),
        await ask(null, 'only-if-cached'),
        await ask(null, 'force-cache'),
        await ask(mine, 'force-cache'),
        await ask(others, 'only-if-cached'),
        await ask(null, 'default'),
      ]

      expect(after[3]).toBe(before[0])
      expect(after.join()).not.toContain('Others')
      expect([after[1], after[2], after[5]].join()).not.toContain('Mine')
      await page.context().close()
    },
  )
})

describe('caching headers', () => {
  it('an answer for a key may be cached for this key only, and must be revalidated', async () => {
    const store = await storeOf('Max')
    const answers = [
      await store.get('/v1/pets'),
      await store.ask('/v1/pets', { method: 'HEAD' }),
      await store.get('/v1/rate-limit'),
      await store.post('/v1/pets', { name: 'Moritz', categoryId: 1 }),
      await store.get(`/v1/pets/${(await store.get('/v1/pets')).text.match(/\d+/)?.[0]}`),
      await store.get(addresses[2] ?? ''),
      await graphqlOf(app, store)('{ pets { nodes { name } } }'),
    ]

    for (const { headers } of answers) {
      expect(headers['cache-control']).toBe('private, no-cache')
      expect(headers.vary).toMatch(/^Authorization, /)
    }
  })

  it('an error, and an answer that may contain a secret, are not cached', async () => {
    const store = await app.makeProject()
    const graphql = graphqlOf(app, store)
    const answers = [
      await app.ask('/v1/pets'),
      await store.get('/v1/pets?limit=0'),
      await store.get('/v1/nowhere'),
      await app.ask('/nowhere'),
      await app.ask('/graphql', { method: 'POST' }),
      await graphql('{'),
      await graphql('mutation { issueApiKey(input: { name: "x", scopes: [pets_read] }) { secret } }'),
      await graphql(`mutation { rotateApiKey(id: "key_${store.keyId}") { secret } }`),
    ]

    expect(answers.map(({ headers }) => headers['cache-control'])).toEqual(answers.map(() => 'no-store'))
  })
})
