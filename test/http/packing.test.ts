import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askBytes } from '../support/ask-bytes.ts'
import { freshRedis } from '../support/databases.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
/** With Redis, pages are cached. */
beforeAll(async () => {
  const redisUrl = await freshRedis()
  app = await startApp({ env: redisUrl ? { REDIS_URL: redisUrl } : {} })
  store = await app.makeProject()
  const projectId = store.project.id
  const data = Array.from({ length: 40 }, (_, i) => ({ projectId, name: `Zoë the ${i}th`, categoryId: 1n }))
  await app.tools.db.pet.createMany({ data })
})
afterAll(() => app.stop())

const unpack = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes }

const query = encodeURIComponent('{pets(first:40){nodes{id name categoryId}}}')

const large = ['/v1/pets?limit=40', `/graphql?query=${query}`, '/openapi.json', '/openapi.yaml', '/reference']

it.each(large)('%s is sent in the encoding that the client prefers, with the same content', async path => {
  const ask = (wanted?: string) =>
    askBytes(app.url + path, {
      authorization: `Bearer ${store.secret}`,
      ...(wanted !== undefined && { 'accept-encoding': wanted }),
    })
  const plain = await ask()
  const wishes = {
    'gzip, deflate, br, zstd': 'br',
    'gzip, deflate': 'gzip',
    'br;q=0.5, GZIP': 'gzip',
    '*': 'br',
    'br;q=0, *;q=0.1': 'gzip',
    identity: 'identity',
    'gzip;q=0': 'identity',
    '': 'identity',
  } as const

  // Repeat all requests, because a page is cached only at its second request: the answers from the cache are checked
  // too.
  for (const [wanted, expected] of [...Object.entries(wishes), ...Object.entries(wishes)]) {
    const { headers, bytes } = await ask(wanted)
    expect(headers['content-encoding'] ?? 'identity', wanted).toBe(expected)
    expect(unpack[expected](bytes).equals(plain.bytes), wanted).toBe(true)
    expect(Number(headers['content-length'])).toBe(bytes.length)
    if (expected !== 'identity') expect(bytes.length).toBeLessThan(plain.bytes.length / 2)
    expect(headers.vary).toContain('Accept-Encoding')
    expect(headers.etag).toBe(plain.headers.etag)
  }
})

it('a small page, and an answer that may contain a secret, are not compressed', async () => {
  const headers = { authorization: `Bearer ${store.secret}`, 'accept-encoding': 'br, gzip' }
  const name = 'x'.repeat(100)
  const issue = (n: number) =>
    `k${n}: issueApiKey(input: { name: "${name}", scopes: [pets_read] }) { secret apiKey { name } }`
  const mutation = `mutation { ${Array.from({ length: 7 }, (_, n) => issue(n)).join(' ')} }`

  const small = await askBytes(`${app.url}/v1/pets?limit=5`, headers)
  const secret = await askBytes(
    `${app.url}/graphql`,
    { ...headers, 'content-type': 'application/json' },
    JSON.stringify({ query: mutation }),
  )

  expect(small.headers['content-encoding']).toBeUndefined()
  expect(secret.bytes.length).toBeGreaterThan(1024)
  expect(secret.bytes.toString()).toContain('"secret":"as_')
  expect(secret.headers['content-encoding']).toBeUndefined()
})

it('HEAD has the Content-Length of GET', async () => {
  const headers = { authorization: `Bearer ${store.secret}`, 'accept-encoding': 'br' }

  const got = await askBytes(`${app.url}/v1/pets?limit=40`, headers)
  const head = await askBytes(`${app.url}/v1/pets?limit=40`, headers, undefined, 'HEAD')

  expect([head.headers['content-length'], head.headers['content-encoding']]).toEqual([
    String(got.bytes.length),
    'br',
  ])
})

it.each(['/openapi.json', '/openapi.yaml', '/reference', '/dashboard/'])(
  'a client that already has %s gets 304 instead of the content',
  async path => {
    const { etag = '' } = (await app.ask(path)).headers

    const again = await app.ask(path, { headers: { 'if-none-match': etag } })
    const other = await app.ask(path, { headers: { 'if-none-match': 'W/"other"' } })

    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
    expect(again.headers['cache-control']).toBe('no-cache')
    expect(other.status).toBe(200)
  },
)

it('the dashboard’s files have a hash in their names and are cached for a year', async () => {
  const { text } = await app.ask('/dashboard/')
  const [script = ''] = /\/dashboard\/assets\/[^"]+\.js/.exec(text) ?? []

  const { status, headers } = await app.ask(script)

  expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable'])
  const again = await app.ask(script, { headers: { 'if-none-match': headers.etag ?? '' } })
  expect(again.status).toBe(304)
})
