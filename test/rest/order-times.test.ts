import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fill } from '../support/fill.ts'
import { graphqlOf } from '../support/graphql.ts'
import { createPet, type OrderAnswer, place } from '../support/orders.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

type OrdersPage = {
  nodes: { id: string }[]
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string }
}
type Store = Awaited<ReturnType<App['makeProject']>>

/** Reads a list to its end. */
async function list(store: Store, query: string): Promise<number[]> {
  const found: number[] = []
  for (let path: string | undefined = `/v1/store/orders?${query}`; path; ) {
    const { json, headers } = await store.get(path)
    found.push(...(json as OrderAnswer[]).map(({ id }) => id))
    path = /<[^>]+(\/v1\/store[^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
  }
  return found
}

/** Places orders at these times, in the order of their ids. */
async function placeAt(store: Store, times: readonly string[]): Promise<number[]> {
  const ids: number[] = []
  for (const time of times) {
    const { id } = await place(store, await createPet(store), { reference: `at-${ids.length}` })
    await app.tools.db
      .$executeRaw`UPDATE "orders" SET placed_at = ${time}::timestamptz WHERE id = ${id}::bigint`
    ids.push(id)
  }
  return ids
}

const times = [
  '2026-11-03T00:00:00Z',
  '2026-11-01T00:00:00Z',
  '2026-11-02T00:00:00Z',
  '2026-11-02T00:00:00Z',
  '2026-11-04T00:00:00Z',
]

describe('orders by the time that they were placed', () => {
  test('a time range has the orders from its beginning until before its end, newest first, by page, over REST and GraphQL', async () => {
    const store = await app.makeProject({ plan: 'business' })
    const [third, first, second, alsoSecond, fourth] = await placeAt(store, times)
    const ranges: [query: Record<string, string>, found: (number | undefined)[]][] = [
      [{ placedFrom: '2026-11-02T00:00:00Z' }, [fourth, third, alsoSecond, second]],
      [{ placedBefore: '2026-11-02T00:00:00Z' }, [first]],
      [
        { placedFrom: '2026-11-01T00:00:00Z', placedBefore: '2026-11-03T00:00:00.001Z' },
        [third, alsoSecond, second, first],
      ],
      [
        { placedFrom: '2026-11-02T01:00:00+01:00', placedBefore: '2026-11-02T00:00:01Z' },
        [alsoSecond, second],
      ],
      [{ placedFrom: '2026-11-05T00:00:00Z' }, []],
      [{ placedFrom: '2026-11-02T00:00:00Z', search: 'at-' }, [fourth, third, alsoSecond, second]],
      [{ placedBefore: '2026-11-04T00:00:00Z', search: 'at-' }, [third, alsoSecond, second, first]],
      [{ placedBefore: '2026-11-04T00:00:00Z', reference: 'at-1' }, [first]],
      [{ placedFrom: '0001-01-01T00:00:00Z', placedBefore: '9999-12-31T23:59:59Z', status: 'approved' }, []],
    ]
    const query = `query($first: Int, $after: String, $last: Int, $before: String, $search: String, $status: OrderStatus,
      $reference: String, $placedFrom: DateTime, $placedBefore: DateTime) {
      orders(first: $first, after: $after, last: $last, before: $before, search: $search, status: $status,
        reference: $reference, placedFrom: $placedFrom, placedBefore: $placedBefore)
      { nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`

    for (const [range, found] of ranges) {
      const rangeQuery = new URLSearchParams(range)
      for (const limit of [1, 2, 100])
        expect(await list(store, `limit=${limit}&${rangeQuery}`), String(rangeQuery)).toEqual(found)
      const forward: string[] = []
      for (let after: string | null = null; ; ) {
        const orders: OrdersPage = (
          await graphqlOf(app, store)(query, { variables: { ...range, first: 1, after } })
        ).data.orders
        forward.push(...orders.nodes.map(({ id }) => id))
        if (!orders.pageInfo.hasNextPage) break
        after = orders.pageInfo.endCursor
      }
      const backward: string[] = []
      for (let before: string | null = null; ; ) {
        const orders: OrdersPage = (
          await graphqlOf(app, store)(query, { variables: { ...range, last: 1, before } })
        ).data.orders
        backward.unshift(...orders.nodes.map(({ id }) => id))
        if (!orders.pageInfo.hasPreviousPage) break
        before = orders.pageInfo.startCursor
      }
      const ids = found.map(id => `order_${id}`)
      expect([forward, backward], String(rangeQuery)).toEqual([ids, ids])
    }
  })

  test.each([
    ['placedFrom=yesterday', 'placedFrom'],
    ['placedFrom=2026-02-30T00:00:00Z', 'placedFrom'],
    ['placedFrom=2026-11-01', 'placedFrom'],
    ['placedFrom=', 'placedFrom'],
    ['placedFrom=0000-01-01T00:00:00Z', 'placedFrom'],
    ['placedFrom=0001-01-01T00:00:00%2B05:00', 'placedFrom'],
    ['placedBefore=9999-12-31T23:59:59-05:00', 'placedBefore'],
    ['placedFrom=2026-11-02T00:00:00Z&placedBefore=2026-11-02T00:00:00Z', 'placedBefore'],
    ['placedfrom=2026-11-02T00:00:00Z', 'placedFrom'],
    ['placed_from=2026-11-02T00:00:00Z', 'placedFrom'],
  ])('the time range ?%s is refused', async (query, field) => {
    const { json } = await (await app.makeProject()).get(`/v1/store/orders?${query}`)

    expect(json).toMatchObject({ code: 'invalid_input', details: [{ field }] })
  })

  test('GraphQL refuses a range that ends before it begins', async () => {
    const store = await app.makeProject()

    const { errors } = await graphqlOf(
      app,
      store,
    )('{ orders(placedFrom: "2026-11-02T00:00:00Z", placedBefore: "2026-11-01T00:00:00Z") { nodes { id } } }')

    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'invalid_input',
      details: [{ field: 'placedBefore' }],
    })
  })

  test('a list of pets refuses a range of orders, which would have no effect', async () => {
    const { json } = await (await app.makeProject()).get('/v1/pets?placedFrom=2026-11-02T00:00:00Z')

    expect(json).toMatchObject({ code: 'invalid_input', details: [{ field: 'placedFrom' }] })
  })

  test('past orders in a time range are read from an index without a sort, even if very many newer orders exist', async () => {
    const store = await app.makeProject()
    const { project } = store
    await fill(
      app.tools,
      `INSERT INTO orders (project_id, pet_id, pet_name, category_id, status, placed_at)
       SELECT ${project.id}, 1, 'Max', 1, 'cancelled', '2026-01-01Z'::timestamptz + n * interval '1 min'
       FROM generate_series(1, 20000) AS n`,
    )
    await app.tools.db.$executeRaw`ANALYZE orders`

    const plan = await app.tools.db.$queryRaw<{ 'QUERY PLAN': string }[]>`
      EXPLAIN (ANALYZE, TIMING OFF) SELECT id FROM orders
      WHERE project_id = ${project.id}::int AND placed_at >= '2026-01-01Z' AND placed_at < '2026-01-01T01:00:00Z'
        AND placed_at <= '2026-01-01T00:30:00Z' AND (placed_at < '2026-01-01T00:30:00Z' OR id < 1000000)
      ORDER BY placed_at DESC, id DESC LIMIT 21`

    const lines = plan.map(line => line['QUERY PLAN']).join('\n')
    expect(lines).toContain('orders_project_id_placed_at_id_idx')
    expect(lines).not.toContain('Sort')
  })

  test('orders of one status in a time range are read from an index without a sort, whether the status is rare or frequent', async () => {
    const { project } = await app.makeProject()
    await fill(
      app.tools,
      `INSERT INTO orders (project_id, pet_id, pet_name, category_id, status, placed_at)
       SELECT ${project.id}, 1, 'Max', 1, (CASE WHEN n % 4000 = 0 THEN 'cancelled' ELSE 'delivered' END)::"OrderStatus",
         '2026-01-01Z'::timestamptz + n * interval '1 min'
       FROM generate_series(1, 20000) AS n`,
    )
    await app.tools.db.$executeRaw`ANALYZE orders`

    // The service's connections use one generic plan for all statuses, and so does a prepared statement here.
    const plan = await app.tools.db.$transaction(async tx => {
      await tx.$executeRaw`PREPARE of_status (int, "OrderStatus", timestamptz) AS
        SELECT id FROM orders WHERE project_id = $1 AND status = $2 AND placed_at >= $3
        ORDER BY placed_at DESC, id DESC LIMIT 21`
      return tx.$queryRawUnsafe<{ 'QUERY PLAN': string }[]>(
        `EXPLAIN EXECUTE of_status (${project.id}, 'cancelled', '2026-01-01Z')`,
      )
    })

    const lines = plan.map(line => line['QUERY PLAN']).join('\n')
    expect(lines).toContain('orders_project_id_status_placed_at_id_idx')
    expect(lines).not.toContain('Sort')
  })
})
