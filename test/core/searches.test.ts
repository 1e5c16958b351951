import { beforeEach, describe, expect, it } from 'vitest'
import { readCursor } from '../../src/core/cursor.ts'
import { listOrders } from '../../src/core/orders/list.ts'
import type { Page, PageQuery } from '../../src/core/pages.ts'
import { listCategories } from '../../src/core/pets/category-list.ts'
import type { Project } from '../../src/core/project.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'

const noFilter = { status: null, petId: null, reference: null, placedFrom: null, placedBefore: null }
const since = { ...noFilter, placedFrom: new Date('2026-01-01') }

describe.skipIf(!canRace())('a search without an index', () => {
  const own = prepareOwnDatabase()
  let project: Project
  beforeEach(async () => {
    project = (await own.makeProject()) as unknown as Project
  })

  type Search = (page: PageQuery, part: string, db?: typeof own.db) => Promise<Page<{ id: bigint }>>
  const searches: Record<string, { list: 'orders' | 'categories'; search: Search }> = {
    categories: {
      list: 'categories',
      search: (page, part, db = own.db) => listCategories(db, project, page, part),
    },
    orders: {
      list: 'orders',
      search: (page, search, db = own.db) => listOrders(db, project, page, { ...noFilter, search }),
    },
    'orders by time': {
      list: 'orders',
      search: (page, search, db = own.db) => listOrders(db, project, page, { ...since, search }),
    },
  }

  /** Adds a needle before and after 4,000 long names. Each name has 1,020 bytes, so a page compares a thousand of them. */
  async function addLongNames(): Promise<void> {
    const names = `
      SELECT ${project.id}::int AS project, n, CASE WHEN n IN (1, 4002) THEN 'needle' ELSE repeat('🦊', 255) END AS name
      FROM generate_series(1, 4002) AS n`
    await own.db.$executeRawUnsafe(`
      INSERT INTO categories (project_id, id, name) SELECT project, n, name FROM (${names}) AS long`)
    await own.db.$executeRawUnsafe(`
      INSERT INTO orders (project_id, id, pet_id, pet_name, category_id, status, placed_at)
      SELECT project, n, 1, name, 1, 'cancelled', '2026-06-01'::timestamptz + n * interval '1 second' FROM (${names}) AS long`)
  }

  it.each(Object.entries(searches))(
    'of %s ends a page early if the texts are long, and the next pages find every match in both directions',
    async (_, { list, search }) => {
      await addLongNames()
      for (const isBackward of [false, true]) {
        const pages: bigint[][] = []
        const reached: bigint[] = []
        for (let after: bigint | null = null; ; ) {
          const page = await search({ limit: 10, after, isBackward }, 'needle')
          pages.push(page.items.map(({ id }) => id))
          if (page.nextCursor === null) break
          after = readCursor('after', project, page.nextCursor, list)
          reached.push(after)
        }

        expect(new Set(pages.flat())).toEqual(new Set([1n, 4002n]))
        expect(pages.flat()).toHaveLength(2)
        const steps = reached.slice(1).map((id, n) => Math.abs(Number(id - (reached[n] ?? 0n))))
        expect(steps).toEqual([1000, 1000, 1000])
      }
    },
  )

  it.each(Object.entries(searches))(
    'of %s runs one statement at a time for a project, even if one request asks for several searches',
    async (_, { search }) => {
      let [running, most] = [0, 0]
      const $queryRaw = async (...query: Parameters<typeof own.db.$queryRaw>) => {
        most = Math.max(most, ++running)
        return own.db.$queryRaw(...query).finally(() => running--)
      }
      const db = new Proxy(own.db, {
        get: (of, name) => (name === '$queryRaw' ? $queryRaw : Reflect.get(of, name)),
      })

      await Promise.all(['a', 'b', 'c'].map(part => search({ limit: 10, after: null }, part, db)))

      expect(most).toBe(1)
    },
  )
})
