import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { freshRedis } from '../support/databases.ts'
import { codesOf, graphqlOf, sendGraphql } from '../support/graphql.ts'
import { thrice } from '../support/limiters.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-of-what-is-kept-0123456789abcdef'
let app: App | undefined
let store: TestProject
beforeAll(async () => {
  const redisUrl = await freshRedis()
  if (!redisUrl) return
  app = await startApp({ env: { OPERATOR_KEY: operatorKey, REDIS_URL: redisUrl } })
  store = await app.makeProject({ plan: 'enterprise', perMinute: 100_000, perDay: 100_000 })
  const data = [1, 2, 3, 4].map(n => ({ projectId: store.project.id, name: `Pet ${n}`, categoryId: 1n }))
  await app.tools.db.pet.createMany({ data })
  // Wait until answers cached before these rows are stale.
  await pause(150)
})
afterAll(() => app?.stop())
beforeEach(({ skip }) => {
  if (!app) skip('redis-server is not installed')
})

const running = () => app as App
const namesIn = (text: string) => [...text.matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name)
const named = '{ pets(first: 2) { nodes { name } } }'

test('an answer cached for one value of a variable is not returned for another value', async () => {
  const query = 'query($first: Int, $sort: PetSort) { pets(first: $first, sort: $sort) { nodes { name } } }'
  const ask = async (variables: object) =>
    namesIn((await graphqlOf(running(), store)(query, { variables })).text)

  for (let round = 0; round < 3; round++) {
    expect(await ask({ first: 1 })).toEqual(['Pet 1'])
    expect(await ask({ first: 2 })).toEqual(['Pet 1', 'Pet 2'])
    expect(await ask({ first: 2, sort: 'newest_first' })).toEqual(['Pet 4', 'Pet 3'])
  }
})

test('if an answer contains cached pets, the other root fields of the answer still show the current state', async () => {
  const fields = 'inventory { total } categories { nodes { id } } rateLimit { minute { remaining } }'
  const ask = async () =>
    (await graphqlOf(running(), store)(`{ pets(first: 3) { nodes { name } } ${fields} }`)).data
  const [before] = await thrice(ask)

  await graphqlOf(running(), store)('mutation { setCategory(categoryId: 77, name: "Seen") { id } }')
  await store.post('/v1/pets', { name: 'Behind', categoryId: 2 })
  const [one, two] = [await ask(), await ask()]

  expect(one.inventory.total).toBe(before.inventory.total + 1)
  expect(one.categories.nodes).toEqual([{ id: 'category_77' }])
  expect(one.rateLimit.minute.remaining - two.rateLimit.minute.remaining).toBe(3)
})

test('an answer with two pages is invalidated by a change to any pet of either page', async () => {
  const own = await running().makeProject({ plan: 'enterprise', perMinute: 1_000, perDay: 1_000 })
  const add = async (name: string) =>
    (await own.post('/v1/pets', { name, categoryId: 1 })).json as { id: number }
  const rename = (id: number, name: string) => own.patch(`/v1/pets/${id}`, { name })
  const pets = [await add('a'), await add('b'), await add('c'), await add('d'), await add('e')]
  const ask = graphqlOf(running(), own)
  const { endCursor } = (await ask('{ pets(first: 2) { pageInfo { endCursor } } }')).data.pets.pageInfo
  const page = (after: string | null) => `pets(first: 2, after: ${JSON.stringify(after)}) { nodes { name } }`

  for (const [one, other] of [
    [page(null), page(endCursor)],
    [page(endCursor), page(null)],
  ]) {
    const both = async () => namesIn((await ask(`{ one: ${one} other: ${other} }`)).text).sort()
    for (const [at, { id }] of pets.slice(0, 4).entries()) {
      await thrice(both)
      const name = `${at} renamed`
      await rename(id, name)

      expect(await both()).toContain(name)
      await rename(id, String(at))
    }
  }
})

test('one URL is answered in whichever media type the request accepts', async () => {
  const path = `/graphql?${new URLSearchParams({ query: named })}`
  const types = ['application/json', 'application/graphql-response+json']

  for (let round = 0; round < 3; round++)
    for (const accept of types) {
      const { headers, text } = await store.get(path, { accept })
      expect(headers['content-type']).toBe(`${accept}; charset=utf-8`)
      expect(namesIn(text)).toEqual(['Pet 1', 'Pet 2'])
    }
})

test('a body that is not UTF-8 does not get the cached answer of a body with U+FFFD', async () => {
  const query = 'query($name: String) { pets(first: 2, name: $name) { nodes { name } } }'
  const body = (name: string) => Buffer.from(JSON.stringify({ query, variables: { name } }))
  const ask = (bytes: Buffer) =>
    store.ask('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: bytes })
  for (const { status } of await thrice(() => ask(body('\ufffd')))) expect(status).toBe(200)

  const [before, after] = body('\ufffd').toString('latin1').split('\xef\xbf\xbd')
  const broken = Buffer.from(`${before}\xff${after}`, 'latin1')

  expect((await ask(broken)).json).toMatchObject({ errors: [{ extensions: { code: 'malformed_request' } }] })
})

test('an operator and an anonymous request get nothing that is cached for a key', async () => {
  await thrice(() => graphqlOf(running(), store)(named))

  for (const [secret, code] of [
    [operatorKey, 'insufficient_scope'],
    [null, 'unauthorized'],
  ] as const)
    for (const answer of await thrice(() => sendGraphql(running().url, secret, named))) {
      expect(codesOf(answer)).toEqual([code])
      expect(answer.text).not.toContain('Pet 1')
    }
})

test('an answer about the schema that was cached for an operator is charged to each key that gets it from the cache', async () => {
  const look = '{ __type(name: "Pet") { kind name } }'
  for (const { data } of await thrice(() => sendGraphql(running().url, operatorKey, look)))
    expect(data).toEqual({ __type: { kind: 'OBJECT', name: 'Pet' } })
  const own = await running().makeProject()

  const answers = await thrice(() => graphqlOf(running(), own)(look))

  expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['299', '298', '297'])
})

test.each([
  ['body', 4096, 1],
  ['body', 4097, 0],
  ['address', 4096, 1],
  ['address', 4097, 0],
  ['accept', 4096, 1],
  ['accept', 4097, 0],
])(
  'the answer to a request is cached only if its %s has at most 4,096 bytes: %i bytes, cached %i',
  async (where, length, hits) => {
    const ask = () => {
      if (where === 'body')
        return store.post('/graphql', '{"query":"{__type(name:\\"Pet\\"){name}}"}'.padEnd(length))
      const short = '/graphql?query=%7B__type(name:%22Pet%22)%7Bname%7D%7D'
      // The service measures the URL without `graphql`: `/graphql?query=…` counts as `/?query=…`.
      if (where === 'address') return store.get(short.padEnd('/graphql'.length - 1 + length, '+'))
      return store.get(`${short}&accept=${length}`, {
        accept: 'application/json,'.padEnd(length - 3, ' ').concat('*/*'),
      })
    }
    const { pages } = running().tools.metrics
    const before = { ...pages }

    for (const { text } of await thrice(ask)) expect(text).toBe('{"data":{"__type":{"name":"Pet"}}}')

    // A request that is never cached does not count as a miss.
    expect(pages.hits - before.hits).toBe(2 * hits)
    expect(pages.misses - before.misses).toBe(hits)
  },
)
