import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeCursor } from '../../src/graphql/connection.ts'
import { movableClock } from '../support/clock.ts'
import { graphqlOf } from '../support/graphql.ts'
import { type App, startApp } from '../support/start-app.ts'

const clock = movableClock()
let app: App
beforeAll(async () => {
  app = await startApp({ clock })
})
afterAll(() => app.stop())
// Each test has a minute of the management budget for itself.
beforeEach(() => clock.advance(61_000))

describe('the order of API keys', () => {
  const at = (hours: number) => new Date(Date.UTC(2027, 0, 1, hours))
  /** Sorted by age. Each column has two equal values, and `expiresAt` and `lastUsedAt` are each missing twice. */
  const made = [
    { name: 'bravo', expiresAt: at(5), lastUsedAt: null },
    { name: 'Alpha', expiresAt: null, lastUsedAt: at(-30) },
    { name: 'éclair', expiresAt: at(5), lastUsedAt: at(-20) },
    { name: 'BRAVO', expiresAt: at(9), revokedAt: at(-1), lastUsedAt: at(-30) },
    { name: 'zulu', expiresAt: null, lastUsedAt: null },
    { name: 'a b "c"', expiresAt: at(1), lastUsedAt: at(-10) },
  ]
  const orders = {
    newest_first: ['a b "c"', 'zulu', 'BRAVO', 'éclair', 'Alpha', 'bravo'],
    oldest_first: ['bravo', 'Alpha', 'éclair', 'BRAVO', 'zulu', 'a b "c"'],
    by_name: ['a b "c"', 'Alpha', 'bravo', 'BRAVO', 'éclair', 'zulu'],
    by_name_descending: ['zulu', 'éclair', 'BRAVO', 'bravo', 'Alpha', 'a b "c"'],
    by_end: ['BRAVO', 'a b "c"', 'bravo', 'éclair', 'Alpha', 'zulu'],
    by_end_descending: ['éclair', 'bravo', 'a b "c"', 'BRAVO', 'zulu', 'Alpha'],
    by_last_use: ['Alpha', 'BRAVO', 'éclair', 'a b "c"', 'bravo', 'zulu'],
    by_last_use_descending: ['a b "c"', 'éclair', 'BRAVO', 'Alpha', 'zulu', 'bravo'],
  }
  const sorts = Object.keys(orders)
  let ask: ReturnType<typeof graphqlOf>
  let projectId: number
  beforeAll(async () => {
    const own = await app.makeProject()
    ask = graphqlOf(app, own)
    projectId = own.project.id
    for (const data of made) {
      const { keyId } = await own.issueKey(['pets:read'])
      await app.tools.db.apiKey.update({ where: { id: keyId }, data })
    }
    // Omit the calling key from the list, because each request changes the time of its last use.
    await app.tools.db.apiKey.updateMany({
      where: { projectId: own.project.id, id: { not: own.keyId } },
      data: { prefix: 'as_listed' },
    })
  })
  const page = async (args: string) =>
    (
      await ask(
        `{ project { apiKeys(search: "as_listed" ${args}) { nodes { name } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } }`,
      )
    ).data.project.apiKeys
  const namesOf = ({ nodes }: { nodes: { name: string }[] }) => nodes.map(({ name }) => name)

  test.each(Object.entries(orders))(
    'with the sort %s a list shows each key once, in pages from the beginning and from the end',
    async (sort, names) => {
      for (const size of [1, 2, 4]) {
        const [forward, backward]: [string[], string[]] = [[], []]
        for (let more = true, after = ''; more; ) {
          const { pageInfo, ...rest } = await page(`sort: ${sort} first: ${size} ${after}`)
          forward.push(...namesOf(rest))
          more = pageInfo.hasNextPage
          after = `after: "${pageInfo.endCursor}"`
        }
        for (let more = true, before = ''; more; ) {
          const { pageInfo, ...rest } = await page(`sort: ${sort} last: ${size} ${before}`)
          backward.unshift(...namesOf(rest))
          more = pageInfo.hasPreviousPage
          before = `before: "${pageInfo.startCursor}"`
        }
        expect([forward, backward]).toEqual([names, names])
      }
    },
  )

  test('several lists of keys in one operation each have their own sort', async () => {
    for (const some of [sorts.slice(0, 4), sorts.slice(4)]) {
      const lists = some.map(
        sort => `${sort}: apiKeys(first: 10 sort: ${sort} search: "as_listed") { nodes { name } }`,
      )
      const { data } = await ask(`{ project { ${lists.join(' ')} } }`)

      expect(some.map(sort => namesOf(data.project[sort]))).toEqual(
        some.map(sort => orders[sort as keyof typeof orders]),
      )
    }
  })

  test('a list of keys continues after the last key of a page even if that key was used or renamed since', async () => {
    const { pageInfo } = await page('sort: by_last_use first: 2')
    const changed = { name: 'BRAVO', prefix: 'as_listed' }
    await app.tools.db.apiKey.updateMany({ where: changed, data: { lastUsedAt: at(-1) } })

    expect(namesOf(await page(`sort: by_last_use first: 2 after: "${pageInfo.endCursor}"`))).toEqual([
      'éclair',
      'a b "c"',
    ])
    await app.tools.db.apiKey.updateMany({ where: changed, data: { lastUsedAt: at(-30) } })
  })

  test('a cursor of another sort, of another project, or with an invalid value is rejected', async () => {
    const elsewhere = graphqlOf(app, await app.makeProject())
    const refused = async (send: typeof ask, sort: string, after: string) =>
      expect(
        (await send(`{ apiKeys(sort: ${sort} after: "${after}") { nodes { id } } }`)).errors,
      ).toMatchObject([{ extensions: { code: 'invalid_input', details: [{ field: 'after' }] } }])
    for (const sort of sorts) {
      const { pageInfo } = await page(`sort: ${sort} first: 1`)
      for (const other of sorts.filter(each => each !== sort)) await refused(ask, other, pageInfo.endCursor)
      await refused(elsewhere, sort, pageInfo.endCursor)
    }
    const key = '01890a5d-ac96-774b-bcce-b302099a8057'
    for (const [sort, place] of [
      ['by_end', `${key} tomorrow`],
      ['by_end', `${key} -271821-04-20T00:00:00.000Z`],
      ['by_last_use', `${key} +275760-09-13T00:00:00.000Z`],
      ['by_name', `${key} a\0b`],
      ['by_name', 'bravo'],
    ] as const)
      await refused(ask, sort, makeCursor(`key-${sort}`, { id: projectId }, place))
  })
})
