import { beforeEach, describe, expect, it } from 'vitest'
import {
  addUpCounts,
  correctCounts,
  countAtMost,
  countByCategory,
  readInventory,
} from '../../../src/core/pets/inventory.ts'
import type { Project } from '../../../src/core/project.ts'
import { inPieces } from '../../support/fill.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

describe.skipIf(!canRace())('changes in the number of pets', () => {
  const own = prepareOwnDatabase()
  let zoo: Project
  let farm: Project
  const addUp = () => addUpCounts(own.database)
  const notAddedUp = async () => {
    const [row] = await own.db.$queryRaw<[{ count: bigint }]>`SELECT count(*) FROM pet_count_changes`
    return Number(row?.count)
  }
  const nothing = { available: 0, pending: 0, sold: 0, unset: 0, total: 0 }
  const soldOf = async (project: Project) => (await readInventory(own.database, project)).sold
  /** Records `changes` changes of the project's pet counts. Each change adds one sold pet. */
  const change = (project: Project, changes: number) =>
    inPieces(
      changes,
      (from, to) => own.db.$executeRaw`
        INSERT INTO pet_count_changes (project_id, what, count)
        SELECT ${project.id}::int, 'sold', 1 FROM generate_series(${from}::int, ${to}::int)`,
    )

  beforeEach(async () => {
    await own.db.$executeRaw`TRUNCATE pets`
    ;[zoo, farm] = [await own.makeProject(), await own.makeProject()] as unknown as [Project, Project]
  })

  it('each change in the number of pets is merged exactly once into the counts of its own project', async () => {
    for (const [project, changes] of [
      [zoo, 3],
      [farm, 5],
      [zoo, 4],
    ] as const) {
      await change(project, changes)
      await addUp()
      await addUp()
    }

    expect(await notAddedUp()).toBe(0)
    expect(await readInventory(own.database, zoo)).toEqual({ ...nothing, sold: 7, total: 7 })
    expect(await readInventory(own.database, farm)).toEqual({ ...nothing, sold: 5, total: 5 })
  })

  it('while one process merges the pet counts, other processes skip the merge without waiting', async () => {
    await change(zoo, 3)

    await own.db.$transaction(async tx => {
      // The lock that a merge and a recount take.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('pet_count_changes', 0))`
      await addUp()
      expect(await notAddedUp()).toBe(3)
    })
    await addUp()

    expect(await notAddedUp()).toBe(0)
    expect(await soldOf(zoo)).toBe(3)
  })

  it('a recount of pets waits until a running merge of pet counts has ended', async () => {
    await own.db.pet.create({ data: { projectId: zoo.id, name: 'Rex', categoryId: 1n, status: 'sold' } })
    const adding = await own.database.pool?.connect()
    await adding?.query('BEGIN')
    await adding?.query(`SELECT pg_advisory_xact_lock(hashtextextended('pet_count_changes', 0))`)

    // Call `then`, because Prisma sends a query only when the code awaits the query or calls `then`.
    const recounted = own.db.$executeRaw`SELECT recount_pets()`.then(count => count)
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await expect
      .poll(async () => (await own.database.pool?.query(waiting))?.rowCount, { interval: 20 })
      .toBe(1)
    await adding?.query('DELETE FROM pet_count_changes')
    await adding?.query(`INSERT INTO pet_counts VALUES (${zoo.id}, 'sold', 1)`)
    await adding?.query('COMMIT')
    adding?.release()
    await recounted

    expect(await readInventory(own.database, zoo)).toEqual({ ...nothing, sold: 1, total: 1 })
  })

  it('one merge of pet counts takes at most 50,000 changes, and the next merge takes the rest', async () => {
    await change(zoo, 50_001)

    await addUp()
    expect([await notAddedUp(), await soldOf(zoo)]).toEqual([1, 50_001])
    await addUp()

    expect([await notAddedUp(), await soldOf(zoo)]).toEqual([0, 50_001])
  })

  it('a project with too many pets to count in time does not stop the correction of the pet counts of other projects', async () => {
    await change(zoo, 3)
    await change(farm, 3)
    const { db } = own
    const slow = {
      project: db.project,
      pet: db.pet,
      $transaction: db.$transaction.bind(db),
      /** Counting the pets of the zoo takes longer than a statement may. */
      $queryRaw: (text: TemplateStringsArray, ...values: unknown[]) =>
        values.includes(zoo.id) ? db.$queryRaw`SELECT pg_sleep(10)` : db.$queryRaw(text, ...values),
    }

    const checked = await correctCounts(slow as never, new AbortController().signal)

    expect(checked).toEqual({ corrected: [farm.slug], unchecked: [zoo.slug] })
    expect(await readInventory(own.database, farm)).toEqual(nothing)
  })

  it('the upper bound for pets with a status and a category is the smaller of the status count and the category count', async () => {
    const data = (['sold', 'sold', 'available', null] as const).flatMap((status, n) =>
      [1n, 2n]
        .slice(0, 1 + (n % 2))
        .map(categoryId => ({ projectId: zoo.id, name: 'Rex', categoryId, status })),
    )
    await own.db.pet.createMany({ data: [...data, { projectId: farm.id, name: 'Max', categoryId: 2n }] })
    const rows: [status: 'sold' | 'available' | 'pending' | null, categoryId: bigint | null, most: number][] =
      [
        [null, null, 6],
        ['sold', null, 3],
        ['pending', null, 0],
        [null, 1n, 4],
        [null, 2n, 2],
        [null, 3n, 0],
        ['sold', 1n, 3],
        ['sold', 2n, 2],
        ['available', 1n, 1],
      ]

    for (const addsUp of [false, true]) {
      if (addsUp) await addUp()
      for (const [status, categoryId, most] of rows)
        expect([status, categoryId, await countAtMost(own.database, zoo, { status, categoryId })]).toEqual([
          ...[status, categoryId, most],
        ])
      expect(await countByCategory(own.database, zoo, [2n, 3n, 1n, 2n])).toEqual([2, 0, 4, 2])
      expect(await countByCategory(own.database, farm, [1n, 2n])).toEqual([0, 1])
    }
  })
})
