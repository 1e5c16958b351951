import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendGraphql } from '../support/graphql.ts'
import { findProgram } from '../support/programs.ts'
import type { TestProject } from '../support/start-app.ts'
import { answersAt, startProcess } from '../support/start-process.ts'
import { connect, createPet, openTwo } from '../support/two-processes.ts'

type Two = Awaited<ReturnType<typeof openTwo>>
type OrderAnswer = { id: number; status: string; code: string }

describe.skipIf(!findProgram('postgres') || !findProgram('redis-server'))('orders over two processes', () => {
  let two: Two
  let urls: [string, string]
  beforeAll(async () => {
    two = await openTwo()
    urls = [two.here.url, two.other.url]
  })
  afterAll(() => two.stop())

  const post = async ({ secret }: TestProject, url: string, path: string, body?: object) => {
    const response = await fetch(`${url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    })
    const json = (await response.json()) as OrderAnswer
    return { status: response.status, code: json.code ?? null, json }
  }
  const newPet = async (store: TestProject) =>
    ((await (await createPet(store, urls[0], 'Wanted')).json()) as OrderAnswer).id
  const placed = async (store: TestProject) => {
    const petId = await newPet(store)
    return { petId, id: (await post(store, urls[0], '/store/orders', { petId })).json.id }
  }
  const act = (store: TestProject, i: number, id: number, name: string) =>
    post(store, urls[i % 2] ?? '', `/store/orders/${id}/${name}`)
  const orderOf = (id: number) => two.here.tools.db.order.findFirstOrThrow({ where: { id } })
  const petOf = (id: number) => two.here.tools.db.pet.findFirst({ where: { id } })

  /** Expects that the order and its pet agree; otherwise only half of a change was stored. */
  async function expectAgreement(id: number, petId: number) {
    const [order, pet] = [await orderOf(id), await petOf(petId)]
    const isOpen = order.status === 'placed' || order.status === 'approved'
    expect(pet?.openOrderId ?? null).toBe(isOpen ? BigInt(id) : null)
    if (isOpen) expect(pet?.status).toBe('pending')
    return { order, pet }
  }

  it('one of 100 concurrent orders for a pet over REST and GraphQL is 201, and 99 are 409 pet_not_available', async () => {
    const { store } = two
    const petId = await newPet(store)
    const order = 'mutation($petId: ID!) { placeOrder(input: { petId: $petId }) { id } }'

    const codes = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const url = urls[i % 2] ?? ''
        if (i % 4 < 2) return (await post(store, url, '/store/orders', { petId })).code
        const { errors } = await sendGraphql(url, store.secret, order, {
          variables: { petId: String(petId) },
        })
        return errors[0]?.extensions.code ?? null
      }),
    )

    expect(codes.filter(code => code === null)).toHaveLength(1)
    expect(codes.filter(code => code === 'pet_not_available')).toHaveLength(99)
    expect(await two.here.tools.db.order.count({ where: { petId } })).toBe(1)
  })

  const waiting = (most: number) =>
    expect
      .poll(
        () => two.here.tools.db.$queryRaw`
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        { interval: 20, timeout: 5_000 },
      )
      .toHaveLength(most)

  it('one of several orders that began at the same time gets the pet', async () => {
    const { store, env } = two
    const petId = await newPet(store)
    const holder = await connect(env.DATABASE_URL)
    await holder.query('BEGIN')
    await holder.query('SELECT FROM pets WHERE id = $1 FOR UPDATE', [petId])

    const sent = [0, 1].map(i => post(store, urls[i] ?? '', '/store/orders', { petId }))
    await waiting(2)
    await holder.query('COMMIT')

    const codes = (await Promise.all(sent)).map(({ code }) => code)
    expect(codes.filter(code => code !== null)).toEqual(['pet_not_available'])
    expect(await two.here.tools.db.order.count({ where: { petId } })).toBe(1)
  })

  it('a locked pet delays only its own order', async () => {
    const { store, env } = two
    const [held = 0, ...others] = await Promise.all(Array.from({ length: 6 }, () => newPet(store)))
    const holder = await connect(env.DATABASE_URL)
    await holder.query('BEGIN')
    await holder.query('SELECT FROM pets WHERE id = $1 FOR UPDATE', [held])

    const [waits, ...sent] = [held, ...others].map(petId => post(store, urls[0], '/store/orders', { petId }))
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    await waiting(1)
    await holder.query('COMMIT')

    expect(statuses).toEqual(others.map(() => 201))
    expect(await waits).toMatchObject({ status: 201, json: { petId: held } })
  })

  it('a pet sold by hand while an order waits for it stays sold and is in no order', async () => {
    const { store, env } = two
    const petId = await newPet(store)
    const seller = await connect(env.DATABASE_URL)
    await seller.query('BEGIN')
    await seller.query(`UPDATE pets SET status = 'sold' WHERE id = $1`, [petId])

    const sent = post(store, urls[0], '/store/orders', { petId })
    await waiting(1)
    await seller.query('COMMIT')

    expect(await sent).toMatchObject({ status: 409, code: 'pet_not_available' })
    expect(await petOf(petId)).toMatchObject({ status: 'sold', openOrderId: null })
  })

  it('the database refuses a second open order of a pet, also by hand', async () => {
    const { store } = two
    const { petId, id } = await placed(store)
    const byHand = (status: string) => two.here.tools.db.$executeRaw`
      INSERT INTO orders (project_id, pet_id, pet_name, category_id, status)
      SELECT project_id, pet_id, pet_name, category_id, ${status}::"OrderStatus" FROM orders WHERE id = ${id}::bigint`

    for (const status of ['placed', 'approved']) await expect(byHand(status)).rejects.toThrow(/23505|unique/i)
    expect(await two.here.tools.db.order.count({ where: { petId } })).toBe(1)
  })

  it('an idempotency key used forty times at once places one order on any process', async () => {
    const { store } = two
    const petId = await newPet(store)
    const headers = {
      authorization: `Bearer ${store.secret}`,
      'content-type': 'application/json',
      'idempotency-key': `k-${petId}`,
    }

    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const body = JSON.stringify({ petId })
        const response = await fetch(`${urls[i % 2]}/v1/store/orders`, { method: 'POST', headers, body })
        return { status: response.status, json: (await response.json()) as OrderAnswer }
      }),
    )

    const made = answers.filter(({ status }) => status === 201)
    expect(new Set(made.map(({ json }) => json.id)).size).toBe(1)
    const others = answers.filter(({ status }) => status !== 201)
    expect(others.every(({ json }) => json.code === 'idempotency_in_flight')).toBe(true)
    expect(await two.here.tools.db.order.count({ where: { petId } })).toBe(1)
  })

  it('only one of many concurrent orders with the same reference is accepted, and the pets of the refused orders stay unchanged', async () => {
    const { store } = two
    const pets = await Promise.all(Array.from({ length: 20 }, () => newPet(store)))

    const answers = await Promise.all(
      pets.map((petId, i) =>
        post(store, urls[i % 2] ?? '', '/store/orders', { petId, reference: `web-${pets[0]}` }),
      ),
    )

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 'order_exists')).toHaveLength(19)
    const pending = await two.here.tools.db.pet.count({
      where: { id: { in: pets.map(BigInt) }, status: 'pending' },
    })
    expect(pending).toBe(1)
  })

  it('concurrent approvals, deliveries, cancellations, changes and deletions end in a valid state', async () => {
    const { store } = two
    for (let round = 0; round < 15; round++) {
      const { id, petId } = await placed(store)
      const pet = `/v1/pets/${petId}`
      const patch = (url: string) =>
        fetch(url + pet, {
          method: 'PATCH',
          headers: { authorization: `Bearer ${store.secret}`, 'content-type': 'application/json' },
          body: '{"status":"available"}',
        })
      const drop = (url: string) =>
        fetch(url + pet, { method: 'DELETE', headers: { authorization: `Bearer ${store.secret}` } })

      const answers = await Promise.all([
        act(store, 0, id, 'approve'),
        act(store, 1, id, 'deliver'),
        act(store, 0, id, 'cancel'),
        act(store, 1, id, 'approve'),
        act(store, 0, id, 'deliver'),
        act(store, 1, id, 'cancel'),
        ...urls.flatMap(url => [patch(url), drop(url)]),
      ])

      expect(answers.every(({ status }) => [200, 204, 404, 409].includes(status))).toBe(true)
      const { order, pet: left } = await expectAgreement(id, petId)
      if (order.status === 'delivered' && left) expect(['sold', 'available']).toContain(left.status)
      expect(order.cancelledAt === null || order.deliveredAt === null).toBe(true)
    }
  })

  it('after concurrent orders and changes of one pet, the pet and its order agree', async () => {
    const { store } = two
    const petId = await newPet(store)
    const ends = Date.now() + 700
    let placed = 0
    const worker = async (i: number) => {
      while (Date.now() < ends || placed < 3) {
        const { json, status } = await post(store, urls[i % 2] ?? '', '/store/orders', { petId })
        if (status === 201) {
          placed++
          await act(store, i + 1, json.id, 'cancel')
        }
        await fetch(`${urls[i % 2]}/v1/pets/${petId}`, {
          method: 'PATCH',
          headers: { authorization: `Bearer ${store.secret}`, 'content-type': 'application/json' },
          body: '{"status":"available"}',
        })
      }
    }

    await Promise.all(Array.from({ length: 8 }, (_, i) => worker(i)))

    const orders = await two.here.tools.db.order.findMany({ where: { petId } })
    expect(orders.length).toBeGreaterThan(2)
    expect(orders.every(({ status }) => status === 'cancelled')).toBe(true)
    expect(await petOf(petId)).toMatchObject({ status: 'available', openOrderId: null })
  })

  it('a process killed during orders leaves no order half done', async () => {
    const { store, env } = two
    const pets = await Promise.all(Array.from({ length: 60 }, () => newPet(store)))
    const doomed = await startProcess(env)
    await doomed.printed(answersAt)
    const [first] = pets
    await post(store, doomed.url, '/store/orders', { petId: first ?? 0 })

    const sent = pets.slice(1).map(async petId => {
      const { json, status } = await post(store, doomed.url, '/store/orders', { petId })
      if (status === 201) await post(store, doomed.url, `/store/orders/${json.id}/cancel`)
    })
    await pause(30)
    doomed.child.kill('SIGKILL')
    await Promise.allSettled(sent)
    await doomed.ended

    // PostgreSQL may still be running statements that the killed process had sent.
    await expect
      .poll(
        async () => {
          const rows = await two.here.tools.db.$queryRaw<{ wrong: bigint }[]>`
            SELECT count(*) AS wrong
            FROM pets FULL JOIN (SELECT * FROM orders WHERE status IN ('placed', 'approved')) AS orders
              ON orders.project_id = pets.project_id AND orders.pet_id = pets.id
            WHERE pets.open_order_id IS DISTINCT FROM orders.id
              OR (orders.id IS NOT NULL AND pets.status IS DISTINCT FROM 'pending')`
          return Number(rows[0]?.wrong)
        },
        { timeout: 5_000 },
      )
      .toBe(0)
  })
})
