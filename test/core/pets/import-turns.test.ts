import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { openLongWork } from '../../../src/core/long-work.ts'
import { openImport } from '../../../src/core/pets/import.ts'
import { openImportDraft } from '../../../src/core/pets/import-draft.ts'
import { openImportRoom } from '../../../src/core/pets/import-memory.ts'
import type { Project } from '../../../src/core/project.ts'
import type { Database } from '../../../src/database/database.ts'
import { openDatabase } from '../../../src/database/open-database.ts'
import { noteWork } from '../../../src/database/owner.ts'
import type { PrismaClient } from '../../../src/generated/prisma/client.ts'
import { openPlaces } from '../../../src/limiter/places.ts'
import { systemClock } from '../../../src/tools/clock.ts'
import { freshDatabase } from '../../support/databases.ts'
import { manyPets } from '../../support/import.ts'
import { canRace } from '../../support/open-database.ts'
import { startApp } from '../../support/start-app.ts'

it('on the embedded database other requests are served between two imports', async () => {
  const app = await startApp({ env: { DATABASE_URL: '' } })
  onTestFinished(app.stop)
  const { project } = await app.makeProject()
  const importPets = openImport(app.tools)
  const draft = openImportDraft()
  manyPets(3_000).forEach((pet, index) => {
    draft.add(index + 1, { ...pet, categoryId: `${pet.categoryId}` })
  })
  const pets = draft.finish()
  let readsBetween = 0
  let imported = 0

  const imports = [1, 2].map(() => importPets(project, pets, null, false).then(() => imported++))
  while (imported < 2) {
    await app.tools.db.project.count()
    if (imported === 1) readsBetween++
  }
  await Promise.all(imports)

  expect(app.tools.database.pool).toBe(null)
  expect(readsBetween).toBeGreaterThan(0)
})

it.each([
  ['PostgreSQL an import pauses between its pieces', { pool: {} as Database['pool'] }, 'pause'],
  [
    'the embedded database an import keeps the only connection no longer than needed',
    { pool: null },
    'piece',
  ],
])('while other projects send requests, on %s', async (_, database, next) => {
  const order: string[] = []
  const $queryRaw = async () => {
    order.push('piece')
    await pause(20)
    noteWork(2)
    setTimeout(() => order.push('pause'), 0)
    return [{ first: 1n, last: 1n }]
  }
  const db = {
    $transaction: (run: (tx: unknown) => unknown) => run({ $queryRaw }),
  } as unknown as PrismaClient
  const limiter = { renewVersion: async () => true }
  const longWork = openLongWork(openPlaces(null))
  const importPets = openImport({ db, database, clock: systemClock, limiter, longWork })

  await importPets(
    { id: 1 } as Project,
    { count: 2, pieces: ['[]', '[]'], hash: new Uint8Array() },
    null,
    false,
  )

  expect(order.slice(0, 2)).toEqual(['piece', next])
})

it.skipIf(!canRace())(
  'imports of one project run one at a time, and other projects and queries do not wait for them',
  async () => {
    const { env, remove } = await freshDatabase()
    onTestFinished(remove)
    const database = await openDatabase({ databaseUrl: env.DATABASE_URL ?? '', dataDir: '' })
    onTestFinished(() => database.close())
    const { db, pool } = database
    const makeProject = async (slug: string) =>
      (await db.project.create({ data: { slug, name: 'Zoo' } })) as unknown as Project
    const [zoo, farm] = [await makeProject('zoo'), await makeProject('farm')]
    const limiter = { renewVersion: async () => true }
    const importPets = openImport({
      db,
      database,
      clock: systemClock,
      limiter,
      longWork: openLongWork(openPlaces(null)),
    })
    const draft = openImportDraft()
    draft.add(1, { name: 'Max', categoryId: '1' })
    const pets = draft.finish()
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    const counts: (number | null)[] = []

    const count = async () => {
      const { rowCount = 0 } = (await pool?.query(waiting)) ?? {}
      counts.push(rowCount)
      return rowCount
    }
    const holder = await pool?.connect()
    await holder?.query('BEGIN; LOCK TABLE pets IN SHARE MODE')
    const ofZoo = Array.from({ length: 6 }, () => importPets(zoo, pets, null, false))
    // The result is checked below. Until then a refusal must not count as unhandled.
    for (const one of ofZoo) one.catch(() => {})
    await expect.poll(count, { interval: 20 }).toBe(1)
    const imports = [...ofZoo, importPets(farm, pets, null, false)]
    await expect.poll(count, { interval: 20 }).toBe(2)
    // Wait for less than the 1.9 s after which a waiting statement fails.
    for (const until = performance.now() + 300; performance.now() < until; ) {
      await db.project.count()
      await count()
    }
    await holder?.query('COMMIT')
    holder?.release()

    expect((await Promise.all(imports)).map(({ imported }) => imported.imported)).toEqual(Array(7).fill(1))
    expect(Math.max(...counts.map(Number))).toBe(2)
  },
)

it('imports of one project use at most 30 MB of memory, and imports of all projects together at most 120 MB', () => {
  const openPlace = openImportRoom()
  const placeOf = (id: number) => openPlace({ id } as Project)
  const tooManyOfAll = expect.objectContaining({
    code: 'unavailable',
    message: 'Too many imports are being read; try again in a moment.',
  })
  const tooManyOfProject = expect.objectContaining({
    code: 'rate_limited',
    message: 'Too many imports of this project are being read; try again in a moment.',
  })
  const places = [1, 2, 3, 4].map(placeOf)

  for (const place of places) place.take(30_000_000)
  const tooMuch = placeOf(5)
  expect(() => tooMuch.take(1)).toThrow(tooManyOfAll)
  tooMuch.free()
  places[0]?.free()

  expect(() => places[1]?.take(1)).toThrow(tooManyOfProject)
  places[1]?.free()
  // Two imports of one project share the project's memory limit.
  const [half, other] = [placeOf(6), placeOf(6)]
  half.take(15_000_000)
  other.take(15_000_000)
  expect(() => half.take(1)).toThrow(tooManyOfProject)
  half.free()
  other.take(15_000_000)
  expect(() => other.take(1)).toThrow(tooManyOfProject)
})

it('imports of all projects share a memory limit to the byte, and a finished import releases its part', () => {
  const openPlace = openImportRoom({ ofProject: 60, ofAll: 100 })
  const placeOf = (id: number) => openPlace({ id } as Project)
  const refusal = expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 1 })
  const [one, two, three] = [placeOf(1), placeOf(2), placeOf(3)]

  one.take(60)
  two.take(40)
  expect(() => three.take(1)).toThrow(refusal)
  three.free()
  two.free()
  // After the first `free`, a second `free` changes nothing, and a `take` for a late piece of the import takes no
  // memory.
  two.free()
  two.take(1_000)
  const four = placeOf(3)
  four.take(40)

  expect(() => four.take(1)).toThrow(refusal)
})
