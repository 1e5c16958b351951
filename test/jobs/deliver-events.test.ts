import { beforeEach, describe, expect, it, vi } from 'vitest'
import { claimDueEndpoints } from '../../src/core/events/endpoint-lease.ts'
import { Prisma } from '../../src/generated/prisma/client.ts'
import { deliverEvents } from '../../src/jobs/deliver-events.ts'
import { movableClock } from '../support/clock.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'

type Node = {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}

describe.skipIf(!canRace())('the job that sends events to webhook endpoints', () => {
  const own = prepareOwnDatabase()
  const clock = movableClock()
  /** The process' time, which stands still unless the test moves it. */
  let passed: number
  beforeEach(async () => {
    await own.db.webhookEndpoint.deleteMany()
    passed = 0
    const start = Math.ceil(performance.now())
    const watch = vi.spyOn(performance, 'now').mockImplementation(() => start + passed)
    return () => watch.mockRestore()
  })

  const sealedSecret = new Uint8Array(1)
  /** Adds a project with `count` endpoints that have received all its events. */
  async function addProject(count: number): Promise<number> {
    const { id } = await own.makeProject()
    const endpoint = { projectId: id, url: 'https://shop.test', delivered: 1n, sealedSecret }
    await own.db.webhookEndpoint.createMany({ data: Array.from({ length: count }, () => endpoint) })
    await own.db.$executeRaw`INSERT INTO event_numbers (project_id, last) VALUES (${id}, 1)`
    return id
  }
  const addEvent = (projectId: number) =>
    own.db.$executeRaw`UPDATE event_numbers SET last = last + 1 WHERE project_id = ${projectId}`

  function open() {
    const woken = new Set<number>()
    const { claim } = deliverEvents({ db: own.db, clock } as never, woken)
    const claimed = async (most: number) => (await claim(most)).map(({ projectId }) => projectId)
    return { woken, claimed }
  }

  it('reads the endpoints of the projects that have new events, and about once a second all endpoints', async () => {
    const [first, second, third] = [await addProject(2), await addProject(1), await addProject(1)]
    const { woken, claimed } = open()
    expect(await claimed(10)).toEqual([])
    for (const id of [first, second, third]) await addEvent(id)

    woken.add(first)
    expect(await claimed(10)).toEqual([first, first])
    woken.add(second).add(first)
    expect(await claimed(10)).toEqual([second])
    passed = 499
    expect(await claimed(10)).toEqual([])
    passed = 500
    expect(await claimed(10)).toEqual([third])
  })

  it('reads all endpoints as soon as a place is free if there were more due endpoints than places', async () => {
    const [first, second] = [await addProject(2), await addProject(1)]
    const { woken, claimed } = open()
    await claimed(10)
    for (const id of [first, second]) await addEvent(id)

    woken.add(first)

    expect(await claimed(1)).toEqual([first])
    expect((await claimed(10)).toSorted()).toEqual([first, second].toSorted())
  })

  /** Returns the most rows that a step of the statement's plan reads. */
  async function mostRows({ text, values }: Prisma.Sql): Promise<number> {
    const [row] = await own.db.$queryRawUnsafe<{ 'QUERY PLAN': { Plan: Node }[] }[]>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      ...values,
    )
    const nodes = row?.['QUERY PLAN'].map(({ Plan }) => Plan) ?? []
    for (const node of nodes) nodes.push(...(node.Plans ?? []))
    const rows = nodes.map(
      node => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    )
    return Math.max(...rows)
  }

  it('reads few rows after an event of one project, however many endpoints other projects have', async () => {
    const wanted = await addProject(3)
    await own.db.$transaction(async tx => {
      // Without the triggers, which would write an event for each row.
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`
      await tx.$executeRaw`
        INSERT INTO projects (slug, name) SELECT 'other-' || n, 'Shop' FROM generate_series(1, 1000) AS n`
      await tx.$executeRaw`
        INSERT INTO event_numbers (project_id, last) SELECT id, 1 FROM projects WHERE slug LIKE 'other-%'`
      await tx.$executeRaw`
        INSERT INTO webhook_endpoints (id, project_id, url, delivered, sealed_secret)
        SELECT gen_random_uuid(), id, 'https://shop.test', 1, ''::bytea
        FROM projects, generate_series(1, 20) WHERE slug LIKE 'other-%'`
    })
    await addEvent(wanted)
    const read: number[] = []
    const db = Object.create(own.db, {
      $queryRaw: {
        async value(strings: TemplateStringsArray, ...values: unknown[]) {
          read.push(await mostRows(Prisma.sql(strings, ...values)))
          return []
        },
      },
    })

    await claimDueEndpoints(db, clock, 100, [wanted])
    clock.advance(60_000)
    await own.db.$executeRaw`ANALYZE webhook_endpoints, event_numbers`
    await claimDueEndpoints(db, clock, 100, [wanted])

    expect(read).toHaveLength(2)
    expect(Math.max(...read)).toBeLessThan(100)
  })
})
