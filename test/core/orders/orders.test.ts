import { beforeEach, describe, expect, it } from 'vitest'
import { listOrders } from '../../../src/core/orders/list.ts'
import { approveOrder, cancelOrder, deliverOrder } from '../../../src/core/orders/move.ts'
import { findOrder, listOrdersOfPets, type Order } from '../../../src/core/orders/orders.ts'
import { placeOrder } from '../../../src/core/orders/place.ts'
import { openPlacements } from '../../../src/core/orders/placement-batch.ts'
import { openPets } from '../../../src/core/pets/pets.ts'
import type { Project } from '../../../src/core/project.ts'
import type { Statements } from '../../../src/database/statements.ts'
import { systemClock } from '../../../src/tools/clock.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

describe.skipIf(!canRace())('orders', () => {
  const own = prepareOwnDatabase()
  let project: Project
  beforeEach(async () => {
    project = (await own.makeProject()) as unknown as Project
  })

  const openTools = () => ({
    ...{ db: own.db, limiter: { renewVersion: async () => true } },
    placements: openPlacements(own.database, systemClock),
  })
  const createPet = async (status: 'available' | null = null) =>
    (await openPets(own.database).createPet(project, { name: 'Luna', categoryId: 7n, status })).id
  const place = async (petId: bigint, key: string | null = null) =>
    placeOrder(openTools(), project, { petId, reference: `of ${petId}`, note: 'On Saturday.' }, key)
  const none = { approvedAt: null, deliveredAt: null, cancelledAt: null }
  const now = expect.any(Date)

  it('moving an order returns the whole order, with the time of each step so far', async () => {
    const petId = await createPet()
    const tools = openTools()
    const before = Date.now()
    const orders: Order[] = []
    const note = async (order: Order) => {
      orders.push(order)
      expect(order).toEqual(await findOrder(own.db, project, order.id))
      return order
    }

    const { id } = await note((await place(petId)).order)
    await note(await approveOrder(tools, project, id))
    await note(await deliverOrder(tools, project, id))

    const [placed, approved, delivered] = orders
    const whole = {
      id,
      petId,
      petName: 'Luna',
      categoryId: 7n,
      reference: `of ${petId}`,
      note: 'On Saturday.',
    }
    expect(placed).toEqual({ ...whole, ...none, status: 'placed', placedAt: now })
    expect(approved).toEqual({ ...placed, status: 'approved', approvedAt: now })
    expect(delivered).toEqual({ ...approved, status: 'delivered', deliveredAt: now })
    const times = [delivered?.placedAt, delivered?.approvedAt, delivered?.deliveredAt].map(Number)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(new Set(times).size).toBe(3)
    expect(times[0]).toBeGreaterThan(before - 5_000)
    expect(times[2]).toBeLessThan(Date.now() + 5_000)
  })

  it.each([false, true])(
    'a cancelled order has the time of its cancellation, and the time of its approval if it was approved: %j',
    async isApproved => {
      const { order } = await place(await createPet())
      const before = isApproved ? await approveOrder(openTools(), project, order.id) : order

      const cancelled = await cancelOrder(openTools(), project, order.id)

      expect(cancelled).toEqual({ ...before, status: 'cancelled', cancelledAt: now })
      expect(cancelled).toEqual(await findOrder(own.db, project, order.id))
      // A second cancellation returns the same order.
      expect(await cancelOrder(openTools(), project, order.id)).toEqual(cancelled)
    },
  )

  it('a repeated order with one idempotency key returns the first answer, even if the order has moved since', async () => {
    const petId = await createPet('available')
    const first = await place(petId, 'k')
    for (const move of [approveOrder, deliverOrder]) {
      await move(openTools(), project, first.order.id)

      expect(await place(petId, 'k')).toEqual({ ...first, isReplayed: true })
    }
    const { order } = await place(await createPet('available'), 'l')
    await cancelOrder(openTools(), project, order.id)

    expect(await place(order.petId, 'l')).toEqual({ order, isReplayed: true })
  })

  it.each([
    [2, 'is placed'],
    [3, 'cannot be placed'],
  ])(
    'an order is placed after two conflicts with concurrent transactions, and refused after three conflicts: %i conflicts',
    async rivals => {
      const petId = await createPet()
      // Insert orders with the next numbers of the sequence, as if somebody had copied orders with psql. The sequence
      // does not know these orders, so its next numbers are already taken.
      await own.db.$executeRaw`
      INSERT INTO orders (project_id, id, pet_id, pet_name, category_id, status)
      SELECT ${project.id}::int, last_value + n, 0, 'Rex', 1, 'cancelled'
      FROM orders_id_seq, generate_series(1, ${rivals}::int) AS n`

      const answer = await place(petId, 'k').catch(error => error)

      const isPlaced = rivals === 2
      expect(answer).toMatchObject(
        isPlaced
          ? { order: { petId, status: 'placed' }, isReplayed: false }
          : {
              code: 'pet_not_available',
              message: `Pet ${petId} cannot be ordered: it is pending or sold, or another order came first.`,
            },
      )
      expect(await own.db.order.count({ where: { projectId: project.id, petId } })).toBe(isPlaced ? 1 : 0)
      expect(await own.db.pet.findFirst({ where: { id: petId } })).toMatchObject({
        status: isPlaced ? 'pending' : null,
        openOrderId: isPlaced ? answer.order.id : null,
      })
      expect(await own.db.idempotentCreation.count({ where: { projectId: project.id } })).toBe(
        isPlaced ? 1 : 0,
      )
    },
  )

  it('the retry of an order waits until another transaction has released its idempotency key', async () => {
    const petId = await createPet()
    await own.db.$executeRaw`
      INSERT INTO orders (project_id, id, pet_id, pet_name, category_id, status)
      SELECT ${project.id}::int, last_value + 1, 0, 'Rex', 1, 'cancelled' FROM orders_id_seq`
    const holdKey = async () => {
      const holder = await own.database.pool?.connect()
      await holder?.query('BEGIN')
      await holder?.query(`SELECT pg_advisory_xact_lock(hashtextextended('${project.id}:k', 0))`)
      setTimeout(() => holder?.query('COMMIT').then(() => holder.release()), 300)
    }
    const run: Statements['run'] = async statement => {
      try {
        return await own.database.run(statement)
      } catch (error) {
        await holdKey()
        throw error
      }
    }
    const tools = { ...openTools(), placements: openPlacements({ run }, systemClock) }

    const placed = await placeOrder(tools, project, { petId, reference: null, note: null }, 'k')

    expect(placed).toMatchObject({ order: { petId, status: 'placed' }, isReplayed: false })
  })

  it.each([null, 'available'] as const)(
    'cancelling an order gives the pet its former status back (%s)',
    async status => {
      const petId = await createPet(status)
      const petNow = async () => own.db.pet.findFirst({ where: { id: petId } })

      const { order } = await place(petId)
      expect(await petNow()).toMatchObject({ status: 'pending', openOrderId: order.id })
      await cancelOrder(openTools(), project, order.id)

      expect(await petNow()).toMatchObject({ status, openOrderId: null })
    },
  )

  it('each of several pets gets its own page of orders, with its own page size and cursor', async () => {
    const petIds = [await createPet(), await createPet(), await createPet()]
    const data = petIds.flatMap(petId =>
      [1, 2, 3, 4].map(n => ({
        ...{ projectId: project.id, petId, petName: `${n}`, categoryId: 7n, status: 'cancelled' as const },
      })),
    )
    await own.db.order.createMany({ data })
    const [a, b, c] = petIds as [bigint, bigint, bigint]
    const all = {
      status: null,
      reference: null,
      petId: null,
      search: null,
      placedFrom: null,
      placedBefore: null,
    }
    const { items } = await listOrders(own.db, project, { limit: 100, after: null }, all)
    const of = (petId: bigint) => items.filter(order => order.petId === petId).map(({ id }) => id)
    const behind = (petId: bigint, n: number) => of(petId)[n - 1] ?? 0n

    const pages = await listOrdersOfPets(own.db, project, [
      { petId: a, page: { limit: 1, after: null } },
      { petId: b, page: { limit: 3, after: behind(b, 1) } },
      { petId: a, page: { limit: 2, after: behind(a, 1) } },
      { petId: c, page: { limit: 4, after: null } },
      { petId: c, page: { limit: 4, after: behind(c, 4) } },
    ])

    expect(items.map(({ id }) => id)).toEqual(items.map(({ id }) => id).toSorted((x, y) => Number(y - x)))
    expect(pages.map(page => page.items.map(({ id }) => id))).toEqual([
      of(a).slice(0, 1),
      of(b).slice(1),
      of(a).slice(1, 3),
      of(c),
      [],
    ])
    expect(pages.map(({ nextCursor }) => nextCursor !== null)).toEqual([true, false, true, false, false])
  })
})
