import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codesOf, sendGraphql } from '../support/graphql.ts'
import { lowestOf } from '../support/lowest.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { watchStatements } from '../support/statements.ts'

let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp()
  // Stop the jobs: their CPU time would be measured too.
  await app.tools.jobs.close()
  store = await app.makeProject({ plan: 'enterprise', perMinute: 1_000_000, perDay: 1_000_000 })
  const projectId = store.project.id
  const { db } = app.tools
  const pets = await db.pet.createManyAndReturn({
    data: Array.from({ length: 100 }, (_, n) => ({
      ...{ projectId, name: `Pet ${n}`, categoryId: BigInt(n % 50) },
    })),
  })
  await db.category.createMany({
    data: Array.from({ length: 50 }, (_, n) => ({ projectId, id: BigInt(n), name: `Category ${n}` })),
  })
  await db.order.createMany({
    data: Array.from({ length: 5 }).flatMap(() =>
      pets.map(({ id, name, categoryId }) => ({
        ...{ projectId, petId: id, petName: name, categoryId, status: 'cancelled' as const },
      })),
    ),
  })
})
afterAll(() => app.stop())

const times = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n)).join(' ')
const ask = (query: string, secret = store.secret) => sendGraphql(app.url, secret, query)

/** CPU milliseconds of this process for one request: the lowest of several tries. */
async function cpuOf(send: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < 3; n++) {
    const before = process.cpuUsage()
    await send()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

const pageInfo = 'fragment F on OrderConnection { pageInfo { hasNextPage } }'
const page = (inner: string) => `{ pets(first: 100) { nodes { ${inner} } } }`
const hostile: [name: string, query: string][] = [
  [
    '78 lists of orders of each pet',
    `${page(times(78, n => `a${n}: orders(first: ${n + 1}) { ...F }`))} ${pageInfo}`,
  ],
  ['130 equal lists of orders of each pet', `${page(times(130, n => `a${n}: orders { ...F }`))} ${pageInfo}`],
  [
    '49 pets of each order',
    `{ orders(first: 100) { nodes { ${times(49, n => `a${n}: pet { ...P }`)} } } }
     fragment P on Pet { id etag category { id petCount } }`,
  ],
  [
    '150 tags of each pet',
    `{ pets(first: 100) { nodes { ...E } edges { node { ...E } } } } fragment E on Pet { ${times(75, n => `a${n}: etag`)} }`,
  ],
]

describe('an operation', () => {
  test.each(hostile)(
    'per charged request, an operation of %s takes at most three times the CPU time of a REST page',
    async (_, query) => {
      const answer = await ask(`${query}`)
      const charged = Number(answer.headers['x-ratelimit-cost'] ?? 1)
      let n = 0

      // Measure REST and GraphQL in each round, because the machine may become slower between two rounds.
      const ratio = await lowestOf(8, 3, async () => {
        const rest = await cpuOf(() => store.get('/v1/store/orders?limit=100'))
        const spent = await cpuOf(() => ask(query + ' '.repeat(++n)))
        return spent / rest / charged
      })

      expect(ratio).toBeLessThan(3)
    },
  )
})

describe('statements of an operation', () => {
  const attacks: [string, string][] = [
    [
      '80 lists of keys with their usage',
      `{ usage(days: 90) { ${times(80, n => `k${n}: keys(first: ${n + 1}) { requests }`)} } }`,
    ],
    [
      '80 reports of the usage of each key',
      `{ apiKeys(first: 100) { nodes { ${times(80, n => `u${n}: usage(days: ${n + 1}) { requests }`)} } } }`,
    ],
  ]
  test.each(attacks)('an operation makes at most 40 statements: %s', async (_, query) => {
    const watch = watchStatements()
    await ask(query).finally(() => watch.stop())
    const count = watch.about('usage', 'key_usage', 'api_keys')

    expect(count).toBeLessThanOrEqual(40)
  })
})

describe('an answer', () => {
  test.each([
    [
      'to a key that may not read orders',
      page(times(130, n => `a${n}: orders { ...F }`)),
      'insufficient_scope',
    ],
    ['with pages of zero items', page(times(80, n => `a${n}: orders(first: 0) { ...F }`)), 'invalid_input'],
  ])('an answer %s holds at most 100 errors and a megabyte', async (_, query, code) => {
    const looking = await store.issueKey(['pets:read'])
    const secret = code === 'invalid_input' ? store.secret : looking.secret
    const answer = await ask(`${query} ${pageInfo}`, secret)

    expect(answer.errors.length).toBeLessThanOrEqual(100)
    expect(answer.text.length).toBeLessThan(1_000_000)
    expect(codesOf(answer)).not.toEqual([])
  })
})
