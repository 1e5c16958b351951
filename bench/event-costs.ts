// Measures how much events add to the cost of a write, and how soon a stream shows them.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { familyCpuMicroseconds } from './account.ts'
import { withClient } from './database.ts'
import { fill } from './fill.ts'
import { type Services, startServices } from './ground.ts'
import { median } from './median.ts'
import { serve } from './processes.ts'
import { importOf, openSender, untilNumbered, walPosition } from './writes.ts'

const works = ['create', 'update', 'import'] as const
type Taken = { cpu: number; wal: number; ms: number }
export type EventCostsFound = {
  /**
   * PostgreSQL's CPU time, bytes of WAL and duration of the writes with events, divided by the figures without events.
   */
  ratios: Record<(typeof works)[number], Taken>
  /** Milliseconds from the answer of a create to its event in a stream. */
  seenMs: { p50: number; p99: number }
}

const pets = 100_000
const rounds = 5
const acts = 2_000
const atOnce = 8
const petsOfAnImport = 10_000
const seen = 500

export async function measureEventCosts(): Promise<EventCostsFound> {
  const services = await startServices({ full_page_writes: 'off' })
  const keys = await fill(services.databaseUrl, { pets, projects: 1 })
  const env = { DATABASE_URL: services.databaseUrl, REDIS_URL: services.redisUrl }
  const greeting = { method: 'GET', path: '/livez', headers: {} } as const
  const served = await serve('../src/start.js', services.folder, env, greeting)
  const authorization = `Bearer ${keys.secret(1)}`
  const send = openSender(served.port, authorization)
  let sent = 0

  const together = async (act: (n: number) => Promise<void>) => {
    const until = sent + acts
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (sent < until) await act(++sent)
      }),
    )
  }
  const run = {
    create: () => together(n => send('POST', '/v1/pets', `{"name":"Rex ${n}","categoryId":1}`)),
    update: () => together(n => send('PATCH', `/v1/pets/${(n % pets) + 1}`, `{"name":"Max ${n}"}`)),
    import: () => importOf(send, petsOfAnImport),
  }

  try {
    return await withClient(services.databaseUrl, async client => {
      const ratios = {} as EventCostsFound['ratios']
      for (const work of works) {
        await run[work]()
        const found: Taken[] = []
        for (let round = 0; round < rounds; round++) {
          const without = await takenBy(services, client, false, run[work])
          const withEvents = await takenBy(services, client, true, run[work])
          found.push({
            cpu: withEvents.cpu / without.cpu,
            wal: withEvents.wal / without.wal,
            ms: withEvents.ms / without.ms,
          })
        }
        const of = (what: keyof Taken) => median(found.map(each => each[what]))
        ratios[work] = { cpu: of('cpu'), wal: of('wal'), ms: of('ms') }
      }
      return { ratios, seenMs: await measureSeen(served.port, authorization, run.create) }
    })
  } finally {
    await served.stop()
    await services.stop()
  }

  async function measureSeen(port: number, key: string, warmUp: () => Promise<void>) {
    await warmUp()
    const headers = { accept: 'text/event-stream', authorization: key }
    const asking = request({ port, path: '/v1/events', headers, agent: false }).end()
    const [answer] = (await once(asking, 'response')) as [IncomingMessage]
    if (answer.statusCode !== 200) throw new Error(`The stream got ${answer.statusCode}.`)
    let heard = ''
    answer.setEncoding('utf8').on('data', part => {
      heard += part
    })
    const times: number[] = []
    for (let n = 0; n < seen; n++) {
      const name = `Seen ${n}.`
      await send('POST', '/v1/pets', `{"name":"${name}","categoryId":1}`)
      const answeredAt = performance.now()
      while (!heard.includes(name)) await once(answer, 'data')
      times.push(performance.now() - answeredAt)
      heard = ''
      // Vary the pause, so that the creates do not keep a fixed distance from the service's reads of the log.
      await pause(20 + (n % 37))
    }
    asking.destroy()
    times.sort((a, b) => a - b)
    const at = (share: number) => times[Math.floor(share * times.length)] ?? Number.NaN
    return { p50: at(0.5), p99: at(0.99) }
  }
}

/**
 * Measures the CPU time, the WAL and the duration of `run`. CPU time and WAL include the background job that numbers
 * the events of `run`.
 */
async function takenBy(
  { pids }: Services,
  client: pg.Client,
  hasEvents: boolean,
  run: () => Promise<void>,
): Promise<Taken> {
  for (const trigger of ['tell_new_pets', 'tell_changed_pets'])
    await client.query(`alter table pets ${hasEvents ? 'enable' : 'disable'} trigger ${trigger}`)
  // Wait until the service has noticed the change of the triggers and has filled its caches again.
  await pause(1_000)
  const before = { cpu: familyCpuMicroseconds(pids.postgres), wal: await walPosition(client) }
  const beganAt = performance.now()
  await run()
  const ms = performance.now() - beganAt
  await untilNumbered(client)
  return {
    cpu: familyCpuMicroseconds(pids.postgres) - before.cpu,
    wal: (await walPosition(client)) - before.wal,
    ms,
  }
}
