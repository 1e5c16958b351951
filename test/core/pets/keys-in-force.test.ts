import { describe, expect, it } from 'vitest'
import { openLongWork } from '../../../src/core/long-work.ts'
import { cancelOrder } from '../../../src/core/orders/move.ts'
import { placeOrder } from '../../../src/core/orders/place.ts'
import { openPlacements } from '../../../src/core/orders/placement-batch.ts'
import { createPet } from '../../../src/core/pets/create.ts'
import { forgetOldCreations, tryKeyLock } from '../../../src/core/pets/idempotency.ts'
import { openImport } from '../../../src/core/pets/import.ts'
import { openImportDraft } from '../../../src/core/pets/import-draft.ts'
import { openPets } from '../../../src/core/pets/pets.ts'
import type { Project } from '../../../src/core/project.ts'
import { openPlaces } from '../../../src/limiter/places.ts'
import { inPieces } from '../../support/fill.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
const day = 24 * 60 * 60 * 1000

describe.skipIf(!canRace())('an Idempotency-Key', () => {
  const own = prepareOwnDatabase()
  let now = Date.parse('2026-06-01T12:00:00.123Z')
  const clock = { now: () => now, aheadMs: () => 0 }
  const rex = { name: 'Rex', categoryId: 1n, status: null }

  async function openStore() {
    const { db, database } = own
    const tools = {
      ...{ db, database, clock, pets: openPets(database), placements: openPlacements(database, clock) },
      limiter: { renewVersion: async () => true },
      longWork: openLongWork(openPlaces(null)),
    }
    const project = (await own.makeProject()) as unknown as Project
    const { id: petId } = await tools.pets.createPet(project, rex)
    const importPets = openImport(tools)
    const draft = openImportDraft()
    draft.add(1, { name: 'Max', categoryId: '1' })
    const pets = draft.finish()
    /** Each function creates something, and returns its id and whether an earlier call had created it. */
    const creations = {
      async pet() {
        const { pet, isReplayed } = await createPet(tools, project, rex, 'k')
        return { id: pet.id, isReplayed }
      },
      async order() {
        const { order, isReplayed } = await placeOrder(
          tools,
          project,
          { petId, reference: null, note: null },
          'k',
        )
        // Cancel the order, so that its pet is free for the next one.
        await cancelOrder(tools, project, order.id)
        return { id: order.id, isReplayed }
      },
      async import() {
        const { imported, isReplayed } = await importPets(project, pets, 'k', false)
        return { id: imported.firstId, isReplayed }
      },
    }
    const storedKeys = () => db.idempotentCreation.count({ where: { projectId: project.id } })
    return { project, petId, creations, storedKeys }
  }
  const kinds = ['pet', 'order', 'import'] as const

  it.each(kinds)(
    'the idempotency key of a creation (%s) is in force for exactly 24 hours, and can then be used again',
    async kind => {
      const { creations, storedKeys } = await openStore()
      const create = creations[kind]
      const first = await create()
      expect(first.isReplayed).toBe(false)

      now += day - 1
      await forgetOldCreations(own.db, clock)
      expect(await create()).toEqual({ id: first.id, isReplayed: true })
      now += 1
      const second = await create()
      expect(second.isReplayed).toBe(false)
      expect(second.id).not.toEqual(first.id)

      now += day - 1
      expect(await create()).toEqual({ id: second.id, isReplayed: true })
      await forgetOldCreations(own.db, clock)
      expect(await storedKeys()).toBe(1)
      now += 1
      await forgetOldCreations(own.db, clock)
      expect(await storedKeys()).toBe(0)
    },
  )

  it('an idempotency key in use is refused to other operations at once, and free in other projects', async () => {
    const [store, other] = [await openStore(), await openStore()]

    const answers = await own.db.$transaction(async tx => {
      await tx.$queryRaw`SELECT ${tryKeyLock(store.project, 'k')}`
      const refused = []
      for (const kind of kinds) refused.push(await store.creations[kind]().catch(error => error))
      const made = await other.creations.pet()
      return { refused, made }
    })

    for (const refusal of answers.refused)
      expect(refusal).toMatchObject({
        code: 'idempotency_in_flight',
        message: 'A request with this Idempotency-Key is still running; repeat it in a moment.',
        retryAfterSeconds: 1,
      })
    expect(answers.made).toMatchObject({ isReplayed: false })
    expect(await store.storedKeys()).toBe(0)
    expect(await store.creations.import()).toMatchObject({ isReplayed: false })
  })

  it.each(['pet', 'import'] as const)(
    'while an order with an idempotency key is unfinished, another creation (%s) with that key is refused, except in other projects',
    async kind => {
      const [store, other] = [await openStore(), await openStore()]
      const holder = await own.database.pool?.connect()
      if (!holder) throw new Error('There is no PostgreSQL.')

      // Lock the pet, so that the order takes the lock of its key and then waits for the pet.
      await holder.query('BEGIN')
      await holder.query('SELECT FROM pets WHERE id = $1 FOR UPDATE', [store.petId])
      const order = store.creations.order()
      await expect
        .poll(async () => (await own.database.pool?.query(waiting))?.rowCount, { interval: 20 })
        .toBe(1)
      const here = await store.creations[kind]().catch(({ code }) => code)
      const there = await other.creations[kind]()
      await holder.query('COMMIT')
      holder.release()

      expect(here).toBe('idempotency_in_flight')
      expect(there.isReplayed).toBe(false)
      expect(await order).toMatchObject({ isReplayed: false })
    },
  )

  it.each(['COMMIT', 'ROLLBACK'])(
    'an order waits for a transaction that uses its idempotency key, and is refused only if that transaction commits: %s',
    async end => {
      const store = await openStore()
      const rival = await own.database.pool?.connect()
      if (!rival) throw new Error('There is no PostgreSQL.')
      const expiresAt = new Date(now + day)
      await rival.query('BEGIN')
      await rival.query(
        `INSERT INTO idempotent_creations (project_id, key, input_hash, pet_id, expires_at)
       VALUES ($1, 'k', sha256('other'), 1, $2)`,
        [store.project.id, expiresAt],
      )

      const order = store.creations.order().catch(({ code }) => code)
      await expect
        .poll(async () => (await own.database.pool?.query(waiting))?.rowCount, { interval: 20 })
        .toBe(1)
      await rival.query(end)
      rival.release()

      if (end === 'ROLLBACK') return expect(await order).toMatchObject({ isReplayed: false })
      expect(await order).toBe('idempotency_mismatch')
      expect(await own.db.order.count({ where: { projectId: store.project.id } })).toBe(0)
      expect(await own.db.pet.findFirst({ where: { id: store.petId } })).toMatchObject({
        status: null,
        openOrderId: null,
      })
    },
  )

  it('one statement deletes at most 10,000 expired idempotency keys, the oldest first', async () => {
    const { project, storedKeys } = await openStore()
    await own.db.idempotentCreation.deleteMany()
    await inPieces(
      10_001,
      (from, to) => own.db.$executeRaw`
        INSERT INTO idempotent_creations (project_id, key, input_hash, pet_id, expires_at)
        SELECT ${project.id}::int, n::text, sha256('Rex'), 1, ${new Date(now)}::timestamptz - n * interval '1 ms'
        FROM generate_series(${from}::int, ${to}::int) AS n`,
    )

    expect(await forgetOldCreations(own.db, clock)).toBe(10_000)
    expect(await own.db.idempotentCreation.findMany()).toMatchObject([{ key: '1' }])
    expect(await forgetOldCreations(own.db, clock)).toBe(1)
    expect(await storedKeys()).toBe(0)
  })

  it('an expired idempotency key that another transaction has locked does not delay the clean-up of other keys', async () => {
    const [store, other] = [await openStore(), await openStore()]
    await store.creations.pet()
    await other.creations.pet()
    now += day

    await own.db.$transaction(async tx => {
      await tx.$executeRaw`UPDATE idempotent_creations SET key = key WHERE project_id = ${store.project.id}::int`
      await forgetOldCreations(own.db, clock)
      expect([await store.storedKeys(), await other.storedKeys()]).toEqual([1, 0])
    })
    await forgetOldCreations(own.db, clock)

    expect(await store.storedKeys()).toBe(0)
  })
})
