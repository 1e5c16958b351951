import { beforeEach, describe, expect, it } from 'vitest'
import { rewind } from '../../../src/core/events/redeliver.ts'
import type { Project } from '../../../src/core/project.ts'
import { movableClock } from '../../support/clock.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'
import { randomOf } from '../../support/random.ts'

type Node = {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}
type Logged = { number: number; at: number; type?: string }

describe.skipIf(!canRace())('a rewind of a webhook endpoint', () => {
  const own = prepareOwnDatabase()
  const clock = movableClock()
  const second = 1_000
  /** The time of the first event. */
  let start: number
  let project: Project
  beforeEach(async () => {
    start = clock.now() - 86_400 * second
    project = (await own.makeProject()) as unknown as Project
    await own.db.webhookEndpoint.deleteMany()
  })

  const addEndpoint = (types: string[] = []) =>
    own.db.webhookEndpoint.create({
      data: { projectId: project.id, url: 'https://shop.test', types, delivered: 0n, sealedSecret: sealed },
    })

  /** Writes the project's log. `last` is the number of the newest event. */
  async function writeLog(events: Logged[]): Promise<void> {
    for (let from = 0; from < events.length; from += 2_000) {
      const some = events.slice(from, from + 2_000)
      await own.db.$executeRaw`
        INSERT INTO events (project_id, era, number, at, is_management, type, data)
        SELECT ${project.id}::int, 1, number, at, false, type, '{}'
        FROM unnest(${some.map(({ number }) => number)}::bigint[], ${some.map(({ at }) => new Date(at))}::timestamptz[],
          ${some.map(({ type = 'pet.created' }) => type)}::text[]) AS given (number, at, type)`
    }
    const last = events.at(-1)?.number ?? 0
    await own.db
      .$executeRaw`INSERT INTO event_numbers (project_id, last) VALUES (${project.id}, ${last}::bigint)`
  }

  /** Rewinds the endpoint to a time. Returns the number after which the endpoint continues. */
  async function placeOf(id: string, since: number, db = own.db): Promise<number> {
    const { delivered } = await rewind({ db, clock }, project, id, { since: new Date(since) })
    return Number(delivered)
  }

  it('to a time reads at most a few thousand events, however long the log is', async () => {
    const { id } = await addEndpoint()
    await writeLog(numbers(20_000).map(number => ({ number, at: start + number * second })))
    const read: number[] = []
    const db = Object.create(own.db, {
      $queryRaw: {
        async value(strings: TemplateStringsArray, ...values: unknown[]) {
          const text = strings.reduce((before, after, i) => `${before}$${i}${after}`)
          read.push(await rowsOfEvents(text, values))
          return own.db.$queryRaw(strings, ...values)
        },
      },
    })

    const places = []
    for (const number of [1, 5_000, 19_999, 20_001])
      places.push(await placeOf(id, start + number * second, db))

    expect(places).toEqual([0, 4_999, 19_998, 20_000])
    expect(Math.max(...read)).toBeLessThan(5_000)
  })

  /** Returns how many rows of the table `events` a statement reads. */
  async function rowsOfEvents(text: string, values: readonly unknown[]): Promise<number> {
    const [row] = await own.db.$queryRawUnsafe<{ 'QUERY PLAN': { Plan: Node }[] }[]>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      ...values,
    )
    const nodes = row?.['QUERY PLAN'].map(({ Plan }) => Plan) ?? []
    for (const node of nodes) nodes.push(...(node.Plans ?? []))
    return nodes
      .filter(node => node['Relation Name'] === 'events')
      .map(node => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'])
      .reduce((sum, rows) => sum + rows, 0)
  }

  it.each([1, 2, 3])('to a time finds the first event of that time or later, %i', async seed => {
    const { below } = randomOf(seed)
    const { id } = await addEndpoint()
    // Retention has deleted most of the older events.
    const kept = numbers(4_000).filter(number => number > 2_000 || below(50) === 0)
    const events = kept.map(number => {
      // Some events are of a long transaction, and a few of an operator's transaction.
      const late = below(20) === 0 ? below(7_000) : 0
      return { number, at: start + number * 100 - (below(400) === 0 ? 3_600 * second : late) }
    })
    await writeLog(events)
    const times = numbers(40).map(() => start + below(4_200) * 100)

    const places = []
    for (const since of times) places.push(await placeOf(id, since))

    const expected = times.map(since => (events.find(({ at }) => at >= since)?.number ?? 4_001) - 1)
    expect(places).toEqual(expected)
  })

  it('to a time finds the first event after thousands of events of the second before', async () => {
    const { id } = await addEndpoint()
    const times = numbers(7_000).map(number => ({ number, at: start + (number > 6_500 ? second : 0) }))
    await writeLog(times)

    expect(await placeOf(id, start + 1)).toBe(6_500)
    expect(await placeOf(id, start + 2 * second)).toBe(7_000)
  })

  it('to a time of a project without events has no events to send', async () => {
    const { id } = await addEndpoint()

    expect(await placeOf(id, start)).toBe(0)
  })
})

const sealed = new Uint8Array(1)
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
