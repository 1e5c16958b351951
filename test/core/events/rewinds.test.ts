import { beforeEach, describe, expect, it } from 'vitest'
import { type DeliveryTools, deliverDue } from '../../../src/core/events/deliveries.ts'
import { claimDueEndpoints } from '../../../src/core/events/endpoint-lease.ts'
import { rewind } from '../../../src/core/events/redeliver.ts'
import { readSentEvents } from '../../../src/core/events/sent-events.ts'
import type { Project } from '../../../src/core/project.ts'
import type { Statements } from '../../../src/database/statements.ts'
import type { OutgoingAnswer } from '../../../src/tools/outgoing.ts'
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

  /** Gives PostgreSQL statistics that know of no event of the project. */
  async function analyzeOtherLog(): Promise<void> {
    const other = await own.makeProject()
    await own.db.$executeRaw`
      INSERT INTO events (project_id, era, number, at, is_management, type, data)
      SELECT ${other.id}::int, 1, number, now(), false, 'pet.created', '{}' FROM generate_series(1, 300) AS number`
    await own.db.$executeRaw`ANALYZE events`
  }

  /** Rewinds the endpoint to a time. Returns the number after which the endpoint continues. */
  async function placeOf(id: string, since: number, db = own.db): Promise<number> {
    const { delivered } = await rewind({ db, clock }, project, id, { since: new Date(since) })
    return Number(delivered)
  }

  it('to a time reads at most a few thousand events, however long the log is', async () => {
    const { id } = await addEndpoint()
    await analyzeOtherLog()
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

  describe('to the beginning of a long log', () => {
    const far = 20_000
    const wanted = [7_001, 7_002, 19_990]
    let sent: { endpointId: string; number: number }[]
    let reads: { after: number; rows: number }[]
    let [reading, mostReading] = [0, 0]
    let tools: DeliveryTools
    beforeEach(async () => {
      ;[sent, reads, reading, mostReading] = [[], [], 0, 0]
      const watched: Statements = {
        async run(statement) {
          const rows = await own.database.run(statement)
          reads.push({ after: Number(statement.values[1]), rows: rows.length })
          return rows
        },
      }
      const answer: OutgoingAnswer = { status: 204, ms: 1, excerpt: '', problem: null, retryAfter: undefined }
      const post = async (url: URL, _: unknown, body: string) => {
        sent.push({ endpointId: url.pathname.slice(1), number: JSON.parse(body).number })
        return answer
      }
      tools = {
        ...{ db: own.db, clock, delayOf: () => 0 },
        seal: { open: () => `whsec_${Buffer.alloc(24).toString('base64')}` },
        outgoing: { post } as unknown as DeliveryTools['outgoing'],
        readEvents: (...query) => readSentEvents(watched, ...query),
      }
      await analyzeOtherLog()
      await writeLog(
        numbers(far).map(number => ({
          ...{ number, at: start },
          ...(wanted.includes(number) && { type: 'order.placed' }),
        })),
      )
    })

    /** Does the same as the job until no endpoint is due. Counts the endpoints that read at once after their first read. */
    async function deliver(): Promise<void> {
      const due = await claimDueEndpoints(own.db, clock, 100, null)
      await Promise.all(
        due.map(endpoint => deliverDue(toolsOfTurn(), endpoint, new AbortController().signal)),
      )
      if (due.length > 0) await deliver()
    }

    function toolsOfTurn(): DeliveryTools {
      let isFirst = true
      return {
        ...tools,
        async readEvents(...query) {
          const counted = isFirst ? 0 : 1
          isFirst = false
          reading += counted
          mostReading = Math.max(mostReading, reading)
          const events = await tools.readEvents(...query)
          reading -= counted
          return events
        },
      }
    }

    const addAt = async (types: string[]) => {
      const { id } = await addEndpoint(types)
      return own.db.webhookEndpoint.update({ where: { id }, data: { url: `https://shop.test/${id}` } })
    }

    it('passes thousands of unwanted events with each statement, and sends the wanted events in order', async () => {
      const { id } = await addAt(['order.placed'])

      await deliver()

      expect(sent).toEqual(wanted.map(number => ({ endpointId: id, number })))
      expect(reads.length).toBeLessThan(10)
      expect(reads.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(20)
      expect(await own.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).toMatchObject({
        delivered: BigInt(far),
      })
    })

    it('reads the further events of one endpoint at a time', async () => {
      const ids = []
      for (let n = 0; n < 4; n++) ids.push((await addAt(['order.placed'])).id)

      await deliver()

      expect(mostReading).toBe(1)
      for (const id of ids) {
        const own = sent.filter(({ endpointId }) => endpointId === id)
        expect(own.map(({ number }) => number)).toEqual(wanted)
      }
    })

    it.each([
      ['at most the five thousand events that a statement compares, of one type', ['order.created'], 5_100],
      ['at most the fifty events of a page, of all types', [], 200],
    ])('reads %s', async (_, types, most) => {
      const read: number[] = []
      const explained: Statements = {
        async run({ text, values }) {
          read.push(await rowsOfEvents(text, values))
          return []
        },
      }

      for (const after of [0n, 6_000n, 19_990n]) await readSentEvents(explained, project.id, after, 50, types)

      expect(Math.max(...read)).toBeLessThanOrEqual(most)
    })

    it('reads only pages of fifty events for an endpoint that wants all of them', async () => {
      const { id } = await addAt([])
      const stop = new AbortController()
      const { post } = tools.outgoing
      tools.outgoing.post = (...request) => {
        if (sent.length === 55) stop.abort()
        return post(...request)
      }
      const [leased] = await claimDueEndpoints(own.db, clock, 100, null)

      if (leased) await deliverDue(tools, leased, stop.signal)

      expect(reads).toEqual([0, 50].map(after => ({ after, rows: 50 })))
      expect(await own.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).toMatchObject({
        delivered: 55n,
      })
    })
  })
})

const sealed = new Uint8Array(1)
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
