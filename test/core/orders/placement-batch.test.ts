import { expect, onTestFinished, test } from 'vitest'
import type { Db } from '../../../src/core/db.ts'
import { openPlacements, type Placements } from '../../../src/core/orders/placement-batch.ts'
import type { Project } from '../../../src/core/project.ts'
import type { Database } from '../../../src/database/database.ts'
import { openDatabase } from '../../../src/database/open-database.ts'
import { systemClock } from '../../../src/tools/clock.ts'
import { freshDatabase } from '../../support/databases.ts'
import { fill } from '../../support/fill.ts'
import { findProgram } from '../../support/programs.ts'

type Ground = { databaseUrl: string; database: Database; placements: Placements; zoo: Project; farm: Project }

/** Makes pets: the zoo has the even ones, the farm the odd ones. */
async function layGround(pets: number): Promise<Ground> {
  const { env, remove } = await freshDatabase()
  onTestFinished(remove)
  const databaseUrl = env.DATABASE_URL ?? ''
  const database = await openDatabase({ databaseUrl, dataDir: '' })
  onTestFinished(() => database.close())
  const [zoo, farm] = (await database.db.project.createManyAndReturn({
    data: ['zoo', 'farm'].map(slug => ({ slug, name: slug })),
  })) as unknown as [Project, Project]
  await addPets(database, zoo, farm, 1, pets)
  return { databaseUrl, database, placements: openPlacements(database, systemClock), zoo, farm }
}

const addPets = (database: Database, zoo: Project, farm: Project, from: number, to: number) =>
  database.db.$executeRaw`
    INSERT INTO pets (id, project_id, name, category_id)
    SELECT n, CASE n % 2 WHEN 0 THEN ${zoo.id}::int ELSE ${farm.id}::int END, 'Pet ' || n, n
    FROM generate_series(${from}::int, ${to}::int) AS n`

const want = (
  project: Project,
  petId: number,
  reference: string | null = null,
  key: string | null = null,
) => ({
  ...{ project, key },
  input: { petId: BigInt(petId), reference, note: reference && `Of ${reference}` },
})

test.skipIf(!findProgram('postgres'))(
  'concurrent orders share a statement, and each gets its own result',
  async () => {
    const { database, placements, zoo, farm } = await layGround(40)
    await placements.together(want(zoo, 2, 'taken', 'used'))
    const countStatements = () =>
      database.db.$queryRaw`SELECT DISTINCT xmin::text FROM orders WHERE pet_id BETWEEN 4 AND 20`

    const [own, keyed, foreign, absent, sold, taken, used, samePet, sameReference, sameKey] =
      await Promise.all(
        [
          want(zoo, 4),
          want(farm, 5, 'taken', 'used'),
          want(farm, 6),
          want(zoo, 999),
          want(zoo, 2),
          want(zoo, 8, 'taken'),
          want(zoo, 10, 'another', 'used'),
          want(zoo, 4),
          want(farm, 15, 'taken'),
          want(farm, 17, 'another', 'used'),
        ].map(placements.together),
      )

    expect(own).toMatchObject({ order: { petId: 4n, petName: 'Pet 4', categoryId: 4n, reference: null } })
    expect(keyed).toMatchObject({ order: { petId: 5n, reference: 'taken', note: 'Of taken' } })
    expect(foreign).toMatchObject({ order: null, pet: 'missing' })
    expect(absent).toMatchObject({ order: null, pet: 'missing' })
    expect(sold).toMatchObject({ order: null, pet: 'not free' })
    expect(taken).toMatchObject({ order: null, pet: 'free', taken: expect.stringMatching(/^\d+$/) })
    expect(used).toMatchObject({ order: null, mine: true, storedOrder: expect.any(BigInt) })
    expect([samePet, sameReference, sameKey]).toEqual(['rivalled', 'rivalled', 'rivalled'])
    expect(await countStatements()).toHaveLength(1)
  },
)

/**
 * Returns a row for each statement that waits for a lock in this database. Other tests use other databases of the same
 * server.
 */
const waitingIn = (tx: Db) => tx.$queryRaw`
  SELECT FROM pg_locks WHERE NOT granted AND pid IN (
    SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database WHERE datname = current_database())`

test.skipIf(!findProgram('postgres'))(
  'if another transaction takes one order reference, all orders of a statement are rolled back, and each order can be retried alone',
  async () => {
    const { database, placements, zoo } = await layGround(10)
    const rival = database.db.$transaction(async tx => {
      await tx.$executeRaw`INSERT INTO orders (project_id, pet_id, pet_name, category_id, status, reference)
        VALUES (${zoo.id}, 10, 'Pet 10', 10, 'cancelled', 'web-1')`
      const placed = Promise.all([want(zoo, 2), want(zoo, 4, 'web-1')].map(placements.together))
      await expect.poll(() => waitingIn(tx), { timeout: 5_000, interval: 20 }).toHaveLength(1)
      // Return the promise inside an array. The transaction would wait for a plain promise, and the promise settles
      // only after the transaction has ended.
      return [placed]
    })

    const [placed] = await rival
    expect(await placed).toEqual(['rivalled', 'rivalled'])
    expect(await database.db.pet.count({ where: { status: 'pending' } })).toBe(0)
    expect(await placements.alone(want(zoo, 2))).toMatchObject({ order: { petId: 2n } })
    expect(await placements.alone(want(zoo, 4, 'web-1'))).toMatchObject({ order: null, pet: 'free' })
    expect(await database.db.pet.count({ where: { status: 'pending' } })).toBe(1)
  },
)

test.skipIf(!findProgram('postgres'))(
  'two statements that place orders with equal references in opposite sequence do not block each other',
  async () => {
    const { database, zoo } = await layGround(400)
    const lines = await Promise.all([database.openLine(), database.openLine()])
    onTestFinished(() => Promise.all(lines.map(line => line.close())).then(() => {}))
    const references = Array.from({ length: 100 }, (_, n) => `web-${n}`)

    // Both batches begin when the lock on the table is released.
    const begun = await database.db.$transaction(async tx => {
      await tx.$executeRaw`LOCK TABLE orders IN SHARE MODE`
      const sent = lines.map((line, side) => {
        const { together } = openPlacements(line, systemClock)
        const wanted = side === 0 ? references : references.toReversed()
        return Promise.all(wanted.map((reference, n) => together(want(zoo, 2 + 4 * n + 2 * side, reference))))
      })
      await expect.poll(() => waitingIn(tx), { timeout: 5_000, interval: 20 }).toHaveLength(2)
      return { sent }
    })

    const outcomes = (await Promise.all(begun.sent)).flat()
    expect(outcomes.filter(outcome => outcome !== 'rivalled' && outcome.order)).toHaveLength(100)
    expect(await database.db.pet.count({ where: { status: 'pending' } })).toBe(100)
  },
)

test.skipIf(!findProgram('postgres'))(
  'an order is placed with index scans, even if its statement was planned while the tables were small',
  async () => {
    const { databaseUrl, database, zoo, farm } = await layGround(20)
    // A single connection, because PostgreSQL counts reads by connection.
    const line = await database.openLine()
    onTestFinished(() => line.close())
    const placements = openPlacements(line, systemClock)
    const rowsRead = async () => {
      await line.run({ name: 'flush', text: 'SELECT pg_stat_force_next_flush()::text', values: [] })
      const text = `SELECT sum(idx_tup_read), (SELECT sum(seq_tup_read) FROM pg_stat_user_tables) FROM pg_stat_user_indexes
        WHERE relname IN ('pets', 'orders', 'idempotent_creations')`
      return (await line.run({ name: 'rows_read', text, values: [] })).flat().map(Number)
    }
    await database.db.$executeRaw`ANALYZE pets, orders, idempotent_creations`
    for (const place of [placements.together, placements.alone])
      await place(want(zoo, place === placements.alone ? 2 : 4, `web-${place.name}`, `key-${place.name}`))
    await fill(
      { config: { databaseUrl }, db: database.db },
      `INSERT INTO pets (id, project_id, name, category_id)
       SELECT n, CASE n % 2 WHEN 0 THEN ${zoo.id} ELSE ${farm.id} END, 'Pet ' || n, n FROM generate_series(21, 20000) AS n;
      WITH kept AS (
        INSERT INTO idempotent_creations (project_id, key, input_hash, pet_id, expires_at)
        SELECT project_id, 'pet ' || id, sha256('pet'), id, now() + interval '1 day' FROM pets
      )
      INSERT INTO orders (project_id, pet_id, pet_name, category_id, status, reference)
      SELECT project_id, id, name, category_id, 'cancelled', 'of ' || id FROM pets`,
    )
    const [, scannedBefore] = await rowsRead()
    const [before = 0] = await rowsRead()

    for (const [n, place] of [placements.together, placements.alone].entries())
      expect(await place(want(zoo, 100 + 2 * n, `new ${n}`, `new ${n}`))).toMatchObject({
        order: { petName: `Pet ${100 + 2 * n}` },
      })

    const [after = 0, scannedAfter] = await rowsRead()
    expect(after - before).toBeLessThan(40)
    expect(scannedAfter).toBe(scannedBefore)
  },
)
