import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { fill } from '../support/fill.ts'
import { graphqlOf } from '../support/graphql.ts'
import { ids } from '../support/ids.ts'
import { canRace } from '../support/open-database.ts'
import { randomOf } from '../support/random.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

type Row = { id: number; name: string; categoryId: number; status: string | null }
type Filters = { status?: string; categoryId?: number; name?: string; sort?: string; limit?: number }

let app: App
let store: TestProject
let rows: Row[]
const names = [
  'Biscuit',
  'BISCOTTO',
  'Zoë',
  'ZOË the Great',
  '100%',
  'a_b',
  'back\\slash',
  'Max',
  '🦊 Fox',
  "it's",
]
const statuses = ['available', 'pending', 'sold', null] as const

beforeAll(async () => {
  app = await startApp()
  const options = { plan: 'enterprise', perMinute: 100_000, perDay: 100_000 }
  store = await app.makeProject(options)
  const other = await app.makeProject(options)
  const random = randomOf(1)
  for (let i = 0; i < 80; i++) {
    const pet = {
      name: random.oneOf(names),
      categoryId: BigInt(random.below(3)),
      status: random.oneOf(statuses),
    }
    await app.tools.db.pet.create({ data: { ...pet, projectId: store.project.id } })
    await app.tools.db.pet.create({ data: { ...pet, projectId: other.project.id } })
  }
  rows = await rowsOf(store)
})
afterAll(() => app.stop())

async function rowsOf({ project }: TestProject): Promise<Row[]> {
  const found = await app.tools.db.pet.findMany({ where: { projectId: project.id }, orderBy: { id: 'asc' } })
  return found.map(({ id, name, categoryId, status }) => ({
    id: Number(id),
    name,
    categoryId: Number(categoryId),
    status,
  }))
}

/** Computes the expected list by filtering all pets. */
function wanted(all: Row[], { status, categoryId, name, sort }: Filters): number[] {
  const found = all
    .filter(pet => status === undefined || pet.status === status)
    .filter(pet => categoryId === undefined || pet.categoryId === categoryId)
    .filter(pet => name === undefined || fits(pet.name.toLowerCase(), name.toLowerCase()))
    .map(({ id }) => id)
  return sort === '-id' ? found.reverse() : found
}

/** A text of fewer than three characters is searched only at the beginning of names. */
const fits = (name: string, part: string) =>
  [...part].length < 3 ? name.startsWith(part) : name.includes(part)

const queryOf = (filters: Filters) =>
  new URLSearchParams(Object.entries(filters).map(([name, value]): [string, string] => [name, String(value)]))

function nextOf(link: unknown): string | null {
  return /<([^>]+)>; rel="next"/.exec(String(link))?.[1]?.replace(app.url, '') ?? null
}

async function walk(of: TestProject, filters: Filters, between = async (_page: number[]) => {}) {
  const seen: number[][] = []
  for (let next: string | null = `/v1/pets?${queryOf(filters)}`; next; ) {
    const page = await of.get(next)
    expect(page.status, next).toBe(200)
    seen.push(ids(page))
    next = nextOf(page.headers.link)
    await between(ids(page))
  }
  return seen
}

type GraphqlPage = { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } }

async function walkOverGraphql({ sort, ...filters }: Filters): Promise<number[]> {
  const query = `query($limit: Int, $status: PetStatus, $categoryId: ID, $name: String, $sort: PetSort, $after: String) {
    pets(first: $limit, status: $status, categoryId: $categoryId, name: $name, sort: $sort, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }`
  const seen: number[] = []
  for (let after: string | null = null; ; ) {
    const variables: object = { ...filters, after, sort: sort === '-id' ? 'newest_first' : 'oldest_first' }
    const page: { data: { pets: GraphqlPage } } = await graphqlOf(app, store)(query, { variables })
    const { nodes, pageInfo } = page.data.pets
    seen.push(...nodes.map(({ id }) => Number(id)))
    if (!pageInfo.hasNextPage) return seen
    after = pageInfo.endCursor
  }
}

describe('pets filtered', () => {
  const combinations: Filters[] = [undefined, 'available', 'sold'].flatMap(status =>
    [undefined, 0, 2, 9].flatMap(categoryId =>
      [undefined, 'bisc', 'a'].flatMap(name =>
        [undefined, '-id'].map(sort => ({
          ...(status && { status }),
          ...(categoryId !== undefined && { categoryId }),
          ...(name && { name }),
          ...(sort && { sort }),
        })),
      ),
    ),
  )

  it('every combination of filters returns exactly the matching pets, page by page, over REST and GraphQL', async () => {
    for (const filters of combinations) {
      const what = JSON.stringify(filters)
      const pages = await walk(store, { ...filters, limit: 7 })
      expect(pages.flat(), what).toEqual(wanted(rows, filters))
      for (const page of pages.slice(0, -1)) expect(page, what).toHaveLength(7)
      expect(await walkOverGraphql({ ...filters, limit: 20 }), what).toEqual(wanted(rows, filters))
    }
  }, 120_000)

  it.each([
    {},
    { sort: '-id' },
    { categoryId: 1 },
    { categoryId: 1, sort: '-id' },
    { status: 'sold', name: 'x' },
  ])('a list with %j continues correctly while pets are deleted and added', async filters => {
    const own = await app.makeProject({ plan: 'enterprise', perMinute: 100_000, perDay: 100_000 })
    const data = { projectId: own.project.id, name: 'x', categoryId: 1n, status: 'sold' as const }
    await app.tools.db.pet.createMany({ data: Array(20).fill(data) })
    const before = wanted(await rowsOf(own), filters)

    const pages = await walk(own, { ...filters, limit: 4 }, async page => {
      // Delete the last pet on the page, whose id the cursor contains, and the next pet.
      const last = before.indexOf(page.at(-1) ?? 0)
      const where = {
        projectId: own.project.id,
        id: { in: [before[last], before[last + 1]].filter(id => id !== undefined).map(BigInt) },
      }
      await app.tools.db.pet.deleteMany({ where })
      if (!('sort' in filters)) return
      await app.tools.db.pet.create({ data })
    })

    expect(pages.flat()).toEqual(before.filter((_, i) => i % 5 !== 4))
  })

  it.each(['100%', '00%', '%', '_', 'a_b', '\\', '\\sl', "'", "t's", '🦊', '🦊 f', 'zoë', 'ZOË', 'zo', 'x'])(
    'the name filter %j matches literally, without regard to upper and lower case',
    async name => {
      expect((await walk(store, { name, limit: 100 })).flat()).toEqual(wanted(rows, { name }))
    },
  )

  it('the link to the next page repeats the filters', async () => {
    for (const filters of [
      { limit: '1' },
      { limit: '2', categoryId: '0' },
      { limit: '1', categoryId: '1', name: 'a', sort: '-id' },
      { limit: '1', status: 'sold', name: 'B' },
    ]) {
      const { headers } = await store.get(`/v1/pets?${queryOf(filters as object)}&utm_source=x`)

      const { pathname, searchParams } = new URL(nextOf(headers.link) ?? '', app.url)
      expect([pathname, Object.fromEntries(searchParams)]).toEqual([
        '/v1/pets',
        { ...filters, cursor: expect.any(String) },
      ])
    }
  })

  it('a cursor of another sort order is refused', async () => {
    const next = nextOf((await store.get('/v1/pets?limit=1')).headers.link) ?? ''

    expect((await store.get(`${next}&sort=-id`)).json).toMatchObject({ details: [{ field: 'cursor' }] })
  })

  it.each([
    'categoryId=x',
    'categoryId=1.5',
    'categoryId=9223372036854775808',
    'categoryId=',
    'name=',
    `name=${'x'.repeat(101)}`,
    'name=%00',
    'sort=name',
    'sort=',
    'sort=toString',
    'sort=constructor',
    'sort=__proto__',
    'sort=-id&sort=id',
    'Sort=-id',
    'category=1&categoryID=1',
  ])('the filter ?%s is refused', async query => {
    expect((await store.get(`/v1/pets?${query}`)).json).toMatchObject({ code: 'invalid_input' })
  })

  it('a new pet appears at once on the page of the newest pets, although the page is cached', async () => {
    const own = await app.makeProject()
    for (let i = 0; i < 3; i++) await own.get('/v1/pets?sort=-id&limit=1')

    const added = await own.post('/v1/pets', { name: 'Max', categoryId: 1 })

    expect((await own.get('/v1/pets?sort=-id&limit=1')).json).toEqual([added.json])
  })
})

describe('a name among very many', () => {
  it('a search for a name returns its only match on the first page over REST and GraphQL, although 20,500 other pets exist', async () => {
    const own = await app.makeProject()
    const { id } = own.project
    await fill(
      app.tools,
      `INSERT INTO pets (project_id, name, category_id) SELECT ${id}, 'Max', 1 FROM generate_series(1, 20500)`,
    )
    const needle = await app.tools.db.pet.create({ data: { projectId: id, name: 'Zebulon', categoryId: 1n } })
    const query = 'query($name: String) { pets(name: $name) { nodes { id } pageInfo { hasNextPage } } }'

    for (const name of ['zebu', 'ulon', 'ZE', 'z']) {
      expect(await walk(own, { name })).toEqual([[Number(needle.id)]])
      expect(await walk(own, { name, sort: '-id' })).toEqual([[Number(needle.id)]])
      const { pets } = (await graphqlOf(app, own)(query, { variables: { name } })).data
      expect(pets).toEqual({ nodes: [{ id: String(needle.id) }], pageInfo: { hasNextPage: false } })
    }
    expect(await walk(own, { name: 'zebulons' })).toEqual([[]])
  }, 60_000)

  it.skipIf(!canRace())(
    'a search whose statement of the index is stopped is answered 200, costs one request, and is no outage',
    async () => {
      const own = await app.makeProject()
      const { id } = own.project
      await fill(
        app.tools,
        `INSERT INTO pets (project_id, name, category_id) SELECT ${id}, 'Max', 1 FROM generate_series(1, 600)`,
      )
      const needle = await app.tools.db.pet.create({
        data: { projectId: id, name: 'Zebulon', categoryId: 1n },
      })
      const { database } = app.tools
      const { run } = database
      const isOfIndex = vi.fn((name: string) => name.startsWith('search_pets'))
      database.run = statement =>
        run(
          isOfIndex(statement.name)
            ? { ...statement, text: 'SELECT pg_sleep(60)', name: '', values: [] }
            : statement,
        )
      onTestFinished(() => {
        database.run = run
      })
      const before = (await own.get('/v1/pets/1')).headers['x-ratelimit-remaining']

      const answer = await own.get('/v1/pets?name=zebu')

      expect(answer.status).toBe(200)
      expect(ids(answer)).toEqual([Number(needle.id)])
      expect(Number(before) - Number(answer.headers['x-ratelimit-remaining'])).toBe(1)
      expect(database.outage.reason()).toBeNull()
      expect(isOfIndex).toHaveReturnedWith(true)
    },
  )

  it('a search finds a pet as soon as it is renamed, although its page is cached', async () => {
    const own = await app.makeProject()
    const added = await own.post('/v1/pets', { name: 'Max', categoryId: 1 })
    const { id } = added.json as { id: number }
    for (let i = 0; i < 3; i++) expect(ids(await own.get('/v1/pets?name=zora'))).toEqual([])

    await own.patch(`/v1/pets/${id}`, { name: 'Zora' })

    expect(ids(await own.get('/v1/pets?name=zora'))).toEqual([id])
  })
})
