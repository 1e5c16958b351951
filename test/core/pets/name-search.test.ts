import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readCursor } from '../../../src/core/cursor.ts'
import type { PageRequest } from '../../../src/core/pets/pages.ts'
import { listOf, openPets, type Pets } from '../../../src/core/pets/pets.ts'
import type { Project } from '../../../src/core/project.ts'
import type { Database } from '../../../src/database/database.ts'
import { openDatabase } from '../../../src/database/open-database.ts'
import type { Statements } from '../../../src/database/statements.ts'
import { administer, emptyDatabase, freshDatabase, freshFolder } from '../../support/databases.ts'
import { inPieces } from '../../support/fill.ts'
import { canRace } from '../../support/open-database.ts'
import { randomOf } from '../../support/random.ts'

/**
 * The test adds this number of pets named "." before and after the pets that a search should find. A statement that
 * reads pets in the order of ids reads fewer pets. So the search needs the index or a second statement to get past the
 * pets named ".".
 */
const many = 5_000
const pieces = [
  ...['a', 'A', 'b', 'z', 'Zo', 'ra', 'max', 'MAX', 'bella', '7', '42', ' ', '-', "'"],
  ...[
    '%',
    '_',
    '\\',
    '🦊',
    '👩‍🚀',
    'é',
    'e\u0301',
    'É',
    'ß',
    'ẞ',
    'İ',
    'I',
    'ı',
    'i',
    'Σ',
    'ς',
    'σ',
    '猫',
    '犬',
    'ё',
    'Ё',
  ],
]
const random = randomOf(41)
const textOf = (length: number) => Array.from({ length }, () => random.oneOf(pieces)).join('')
const names = [
  ...Array.from({ length: 1_200 }, () => textOf(1 + random.below(6))),
  ...['ΘΗΣΕΑΣ', 'Θησεύς', 'ΜΟΥΣΑ'],
]
const parts = [
  ...Array.from({ length: 16 }, () => textOf(1 + random.below(3))),
  ...names.slice(0, 10),
  ...[
    'zor',
    'ZORA',
    'maxb',
    '🦊🦊🦊',
    '%',
    '_',
    '\\',
    '%%%',
    'İ',
    'i̇',
    'I',
    '猫',
    '猫犬猫',
    'no pet has this',
    ...['ΘΗΣ', 'θησ', 'θης', 'ΕΑΣ', 'Σ', 'maxΣ'],
  ],
]

type Store = { database: Database; pets: Pets; project: Project; rows: { id: bigint; name: string }[] }

async function openStore(config: { databaseUrl: string | null; dataDir: string }): Promise<Store> {
  const database = await openDatabase(config)
  await database.migrated
  const [project] = await database.db.project.createManyAndReturn({
    data: ['zoo', 'other'].map(slug => ({ slug, name: slug, planName: 'pro' })),
  })
  if (!project) throw new Error('no project')
  const add = (from: readonly string[]) =>
    database.db
      .$executeRaw`INSERT INTO pets (project_id, name, category_id) SELECT ${project.id}::int, name, 1 FROM unnest(${from}::text[]) AS name`
  const addOthers = () => inPieces(many, (from, to) => add(Array(to - from + 1).fill('.')))
  await addOthers()
  await add(names)
  await addOthers()
  await database.db
    .$executeRaw`INSERT INTO pets (project_id, name, category_id) SELECT ${project.id + 1}::int, 'max bella', 1 FROM generate_series(1, 50)`
  const rows = await database.db.pet.findMany({
    where: { projectId: project.id, name: { not: '.' } },
    orderBy: { id: 'asc' },
    select: { id: true, name: true },
  })
  return { database, pets: openPets(database), project: project as unknown as Project, rows }
}

/** Returns the ids that a search should find: filters all names as the contract describes it. */
function wanted({ rows }: Store, part: string, newestFirst: boolean): bigint[] {
  const fold = (text: string) => text.toLowerCase().replaceAll('ς', 'σ')
  const [folded, isShort] = [fold(part), [...part].length < 3]
  const fits = (name: string) => (isShort ? name.startsWith(folded) : name.includes(folded))
  const found = rows.filter(({ name }) => fits(fold(name))).map(({ id }) => id)
  return newestFirst ? found.reverse() : found
}

async function walk(
  { pets, project }: Pick<Store, 'pets' | 'project'>,
  lowered: Pick<PageRequest, 'name' | 'limit' | 'newestFirst'>,
) {
  const page: PageRequest = { ...lowered, after: null, status: null, categoryId: null }
  const seen: bigint[][] = []
  for (;;) {
    const { pets: found, nextCursor } = await pets.list(project, page)
    seen.push(found.map(({ id }) => id))
    if (nextCursor === null) return seen
    page.after = readCursor('after', project, nextCursor, listOf(page))
  }
}

const hasIndex = async ({ database }: Store) =>
  (
    await database.db.$queryRaw<
      { name: string | null }[]
    >`SELECT to_regclass('pets_name_search_idx')::text AS name`
  )[0]?.name != null

async function limitedDatabase() {
  const own = await emptyDatabase()
  const url = new URL(own.env.DATABASE_URL ?? '')
  const role = `limited_${url.pathname.slice(-20)}`
  await administer(url.href, `CREATE ROLE ${role} LOGIN PASSWORD 'x'; GRANT ALL ON SCHEMA public TO ${role}`)
  const admin = url.href
  ;[url.username, url.password] = [role, 'x']
  return {
    env: { DATABASE_URL: url.href },
    async remove() {
      await administer(admin, `DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`)
      await own.remove()
    },
  }
}

const kinds = [
  { of: 'with the index', isIndexed: true, needs: canRace, make: freshDatabase },
  { of: 'whose owner may not create extensions', isIndexed: false, needs: canRace, make: limitedDatabase },
  {
    of: 'that is embedded',
    isIndexed: false,
    needs: () => true,
    make: freshFolder,
  },
]

for (const { of, isIndexed, needs, make } of kinds) {
  describe.skipIf(!needs())(`a search by name in a database ${of}`, () => {
    let store: Store
    let remove: () => Promise<void>

    beforeAll(async () => {
      const made = await make()
      const env: Record<string, string> = made.env
      remove = made.remove
      store = await openStore({ databaseUrl: env.DATABASE_URL ?? null, dataDir: env.DATA_DIR ?? '' })
    }, 60_000)
    afterAll(async () => {
      await store.database.close()
      await remove()
    })

    it('the index of name parts exists only in a database where the service may create it', async () => {
      expect(await hasIndex(store)).toBe(isIndexed)
    })

    it('a search by name finds exactly the pets that match, and every page but the last is full', async () => {
      for (const name of parts) {
        for (const newestFirst of [false, true]) {
          const pages = await walk(store, { name, limit: 30, newestFirst })

          expect(pages.flat(), JSON.stringify({ name, newestFirst })).toEqual(
            wanted(store, name, newestFirst),
          )
          expect(
            pages.slice(0, -1).every(page => page.length === 30),
            name,
          ).toBe(true)
          expect(pages.length === 1 || (pages.at(-1)?.length ?? 0) > 0, name).toBe(true)
        }
      }
    }, 120_000)

    it('a search by name also applies the filters of status and category', async () => {
      const [first, second] = store.rows.filter(({ name }) => name.toLowerCase().includes('max'))
      const { id: projectId } = store.project
      await store.database.db.pet.updateMany({
        where: { projectId, id: first?.id ?? 0n },
        data: { status: 'sold' },
      })
      await store.database.db.pet.updateMany({
        where: { projectId, id: second?.id ?? 0n },
        data: { categoryId: 9n },
      })
      const lowered = { limit: 5, after: null, name: 'max', newestFirst: false }

      const sold = await store.pets.list(store.project, { ...lowered, status: 'sold', categoryId: null })
      const ninth = await store.pets.list(store.project, { ...lowered, status: null, categoryId: 9n })

      expect(sold.pets.map(({ id }) => id)).toEqual([first?.id])
      expect(ninth.pets.map(({ id }) => id)).toEqual([second?.id])
    })
  })
}

/** A statement that only a time limit ends. */
const endless = { name: 'endless', text: 'SELECT pg_sleep(60)::text', values: [] }
const isOfIndex = ({ name }: { name: string }) => name.startsWith('search_pets')

describe.skipIf(!canRace())('a large store', () => {
  async function openLarge() {
    const { env, remove } = await freshDatabase()
    onTestFinished(remove)
    const database = await openDatabase({ databaseUrl: env.DATABASE_URL ?? '', dataDir: '' })
    onTestFinished(() => database.close())
    const project = await database.db.project.create({
      data: { slug: 'large', name: 'Large', planName: 'pro' },
    })
    // Use a separate connection, because the service cancels statements that take long.
    const fill = (name: string, count: number) =>
      administer(
        env.DATABASE_URL ?? '',
        `INSERT INTO pets (project_id, name, category_id) SELECT ${project.id}, '${name}', 1 FROM generate_series(1, ${count})`,
      )
    return { database, project: project as unknown as Project, fill }
  }
  const lowered = { limit: 20, after: null, status: null, categoryId: null, newestFirst: false }

  it('a search finds the last of 60,001 pets on the first page with the name index, and on the second page without the index', async () => {
    const { database, project, fill } = await openLarge()
    await fill('Max', 60_000)
    await fill('Zebulon', 1)

    const [part, beginning, none] = await Promise.all(
      ['bulo', 'ze', 'zebulons'].map(name => openPets(database).list(project, { ...lowered, name })),
    )
    await database.db.$executeRaw`DROP INDEX pets_name_search_idx`
    const pets = openPets(database)
    const short = await pets.list(project, { ...lowered, name: 'bulo' })
    const after = readCursor('after', project, short.nextCursor ?? '', 'pets')
    const last = await pets.list(project, { ...lowered, name: 'bulo', after })

    const seen = [part, beginning, none].map(page => [page?.pets.map(({ name }) => name), page?.nextCursor])
    expect(seen).toEqual([
      [['Zebulon'], null],
      [['Zebulon'], null],
      [[], null],
    ])
    expect([short.pets, last.pets.map(({ name }) => name), last.nextCursor]).toEqual([[], ['Zebulon'], null])
  })

  it('if PostgreSQL stops the statement of the index, the search reads the pets by id, and its pages find every match', async () => {
    const { database, project, fill } = await openLarge()
    await fill('Zora', 1)
    await fill('Max', 3_000)
    await fill('Zora', 2)
    const run: Statements['run'] = statement =>
      database.run(isOfIndex(statement) ? { ...statement, ...endless } : statement)
    const store = { pets: openPets({ run }), project }

    const pages = await walk(store, { name: 'zora', limit: 2, newestFirst: false })
    const backward = await walk(store, { name: 'ora', limit: 2, newestFirst: true })
    const none = await walk(store, { name: 'zebulon', limit: 2, newestFirst: false })

    const { rows } = await database.db.pet
      .findMany({ where: { name: 'Zora' }, orderBy: { id: 'asc' } })
      .then(found => ({ rows: found.map(({ id }) => id) }))
    expect(pages).toEqual([rows.slice(0, 2), rows.slice(2)])
    expect(backward).toEqual([rows.slice(1).reverse(), rows.slice(0, 1)])
    expect(none).toEqual([[]])
  })

  it('a search may take as long in the index as its project has saved, so that stopped searches get little time', async () => {
    const { database, project, fill } = await openLarge()
    await fill('Max', 600)
    const given: (number | undefined)[] = []
    const run: Statements['run'] = statement => {
      if (!isOfIndex(statement)) return database.run(statement)
      given.push(statement.timeoutMs)
      return database.run({ ...statement, ...endless })
    }
    const pets = openPets({ run })

    for (let n = 0; n < 3; n++) await pets.list(project, { ...lowered, name: 'zebulon' })

    expect(given).toEqual([300, 60, 60])
  })

  it('a page of a search without the index ends early if the names are long, and the next pages find every match', async () => {
    const { database, project, fill } = await openLarge()
    await database.db.$executeRaw`DROP INDEX pets_name_search_idx`
    await fill(`${'a'.repeat(251)} aab`, 8_000)
    await fill('Zebulon', 1)
    const store = { pets: openPets(database), project }
    const page = { ...lowered, name: 'bulo' }

    const first = await store.pets.list(project, page)
    const pages = await walk(store, page)

    const [oldest, newest] = await Promise.all(
      (['asc', 'desc'] as const).map(id => database.db.pet.findFirst({ orderBy: { id } })),
    )
    const examined = readCursor('after', project, first.nextCursor ?? '', 'pets') - (oldest?.id ?? 0n) + 1n
    expect([first.pets, examined]).toEqual([[], 5_500n])
    expect(pages).toEqual([[], [newest?.id]])
  })

  it('a search by name returns a full page even if the first 6,000 pets of a large store do not match', async () => {
    const { database, project, fill } = await openLarge()
    await fill('Max', 6_000)
    await fill('Zora', 20_100)

    const { pets, nextCursor } = await openPets(database).list(project, { ...lowered, name: 'zora' })

    expect([pets.length, new Set(pets.map(({ name }) => name)), nextCursor !== null]).toEqual([
      20,
      new Set(['Zora']),
      true,
    ])
  })
})
