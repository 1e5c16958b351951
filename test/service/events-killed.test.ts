import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { eventId } from '../../src/core/events/position.ts'
import { issueApiKey } from '../../src/core/keys/api-keys.ts'
import { scopes } from '../../src/core/keys/scopes.ts'
import { toProject } from '../../src/core/project.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { freshDatabase } from '../support/databases.ts'
import { followers } from '../support/event-followers.ts'
import { type NumberedEvent, startHttpsReceiver } from '../support/https-receiver.ts'
import { findProgram } from '../support/programs.ts'
import { randomOf } from '../support/random.ts'
import { writeAtRandom } from '../support/random-writes.ts'
import { answersAt, startProcess } from '../support/start-process.ts'

// /proc shows which of the two processes sends webhooks.
const canRun = ['postgres', 'openssl'].every(findProgram) && existsSync('/proc/net/tcp')
/** `npm run events` kills processes for minutes; the gate kills each of the two processes once. */
const minutes = Number(process.env.EVENTS_MINUTES ?? 0)
const seed = Number(process.env.EVENTS_SEED ?? Math.floor(Math.random() * 1e9))
const writers = 4
/**
 * The webhook may be far behind: a killed process keeps its lease for 25 s, and the webhook has only 50 attempts a
 * second.
 */
const stalledMs = 60_000

test.skipIf(!canRun)(
  'the event list, event stream, GraphQL subscription and webhook show the same events without gaps, even if each process is killed',
  async () => {
    const receiver = await startHttpsReceiver()
    onTestFinished(receiver.stop)
    const own = await freshDatabase()
    onTestFinished(own.remove)
    const databaseUrl = own.env.DATABASE_URL ?? ''
    const database = await openDatabase({ databaseUrl, dataDir: '' })
    onTestFinished(() => database.close())
    await database.migrated
    const { db } = database
    const env = {
      ...{ DATABASE_URL: databaseUrl, NODE_EXTRA_CA_CERTS: receiver.cert },
      ...{ WEBHOOK_NETWORKS: '127.0.0.0/8', SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') },
    }
    const start = async () => {
      const started = await startProcess(env)
      onTestFinished(() => void started.child.kill('SIGKILL'))
      await started.printed(answersAt)
      return started
    }
    const processes = await Promise.all([start(), start()])
    const row = await db.project.create({
      data: {
        slug: 'shop',
        name: 'Shop',
        planName: 'enterprise',
        requestsPerMinute: 100_000,
        requestsPerDay: 9_000_000,
      },
      include: { plan: true },
    })
    const { secret: key } = await issueApiKey(db, systemClock, toProject(row), { name: 'shop', scopes })
    /**
     * Sends each request to one of the two processes at random, as a balancer does that has not noticed that one of
     * them is dead.
     */
    const balanced: typeof fetch = (input, init) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input)
      return fetch(`${processes[Math.floor(Math.random() * 2)]?.url}${pathname}${search}`, init)
    }
    const store = { url: 'http://store.test', key, fetch: balanced, databaseUrl, projectId: row.id }
    const add = () =>
      balanced(`${store.url}/v1/webhooks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url: receiver.url }),
      })
    // On busy cores a process that has just started may time out.
    await expect.poll(async () => (await add()).status, { interval: 1_000 }).toBe(201)
    const numberOfLast = async () =>
      Number((await db.eventNumber.findUnique({ where: { projectId: row.id } }))?.last ?? 0)
    // Three events: the new project, its key and the endpoint.
    await expect.poll(numberOfLast).toBe(3)
    const third = await db.event.findFirst({ where: { projectId: row.id, number: 3n } })
    const after = eventId(third ?? { era: 0, number: 0n })

    const enough = new AbortController()
    onTestFinished(() => enough.abort())
    const seen = { list: [], stream: [], subscription: [] } as Record<keyof typeof followers, NumberedEvent[]>
    const following = Object.entries(followers).map(([way, follow]) =>
      follow(store, after, event => seen[way as keyof typeof followers].push(event), enough.signal),
    )
    const written = new AbortController()
    onTestFinished(() => written.abort())
    const writing = Array.from({ length: writers }, (_, n) =>
      writeAtRandom(store, randomOf(seed + n), written.signal),
    )
    const random = randomOf(seed)
    let victim = 0
    const endsAt = performance.now() + minutes * 60_000
    let kill = 0
    for (; kill < 2 || performance.now() < endsAt; kill++) {
      await pause(500 + random.below(1_500))
      // Kill alternately the sender in the middle of a delivery, and the other process.
      if (kill % 2 === 0) {
        const port = await receiver.nextBegins()
        // If the delivery has already ended, no process has its connection: then kill the first process.
        victim = Math.max(
          0,
          processes.findIndex(({ child }) => hasConnection(child.pid ?? 0, port)),
        )
      } else victim = 1 - victim
      const { child } = processes[victim] ?? {}
      const ended = child && once(child, 'exit')
      child?.kill('SIGKILL')
      await ended
      // End the lease of the killed sender, because the gate would otherwise wait 25 s for its end.
      if (minutes === 0 && kill % 2 === 0)
        await db.webhookEndpoint.updateMany({ data: { leasedUntil: new Date() } })
      await pause(random.below(1_000))
      processes[victim] = await start()
    }
    written.abort()
    await Promise.all(writing)
    await expect.poll(() => db.told.count()).toBe(0)
    const last = await numberOfLast()
    const sequences = () => ({ ...seen, webhook: firstSights(receiver.received) })
    const reached = () => Object.values(sequences()).map(events => events.at(-1)?.number)
    const isComplete = () => reached().every(number => number === last)
    for (let arrived = -1; !isComplete() && receiver.received.length > arrived; ) {
      arrived = receiver.received.length
      const goesOn = () => isComplete() || receiver.received.length > arrived
      for (const endsAt = performance.now() + stalledMs; !goesOn() && performance.now() < endsAt; )
        await pause(200)
    }
    expect(reached(), `seed ${seed}`).toEqual([last, last, last, last])
    enough.abort()
    await Promise.all(following)

    const stored = await db.event.findMany({
      where: { projectId: row.id, number: { gt: 3n } },
      orderBy: { number: 'asc' },
    })
    const expected = stored.map(event => ({ id: eventId(event), number: Number(event.number) }))
    expect(expected.length, `seed ${seed}`).toBeGreaterThan(20)
    expect(expected.map(({ number }) => number)).toEqual(expected.map((_, n) => n + 4))
    for (const [way, events] of Object.entries(sequences()))
      expect(events, `${way}, seed ${seed}`).toEqual(expected)
    if (minutes > 0) {
      const repeated = receiver.received.length - new Set(receiver.received.map(({ id }) => id)).size
      process.stdout.write(
        `${kill} kills, ${expected.length} events, ${repeated} delivered twice, seed ${seed}\n`,
      )
    }
  },
  180_000 + 2 * minutes * 60_000,
)

/** Returns true if the process has a TCP connection from this local port. */
function hasConnection(pid: number, port: number): boolean {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const rows = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map(row => row.trim().split(/\s+/))
  const inodes = rows.filter(([, local]) => local?.endsWith(`:${hex}`)).map(row => `socket:[${row[9]}]`)
  return readdirSync(`/proc/${pid}/fd`).some(fd => {
    try {
      return inodes.includes(readlinkSync(`/proc/${pid}/fd/${fd}`))
    } catch {
      return false
    }
  })
}

/**
 * Returns the events that the endpoint received, without repetitions, in the order of their first arrival. If a kill
 * breaks off a delivery, the service repeats the delivery with the same id.
 */
function firstSights(received: readonly NumberedEvent[]): NumberedEvent[] {
  const sights = new Map(received.filter(({ number }) => number > 3).map(event => [event.id, event]))
  return [...sights.values()].map(({ id, number }) => ({ id, number }))
}
