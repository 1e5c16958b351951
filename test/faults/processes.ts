import { execFileSync } from 'node:child_process'
import { closeSync, constants, globSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openRawConnection } from '../support/raw-connection.ts'
import { type Answer, openClient } from './client.ts'
import type { Check, Fault } from './fault.ts'
import { type Ground, plain } from './ground.ts'
import type { Store } from './stores.ts'

/** Faults of our own processes, their logs, clocks and clients. */
export const processFaults: Fault[] = [
  {
    name: 'process-killed',
    what: 'One of three processes is killed (kill -9) and started again',
    ground: plain,
    short: true,
    promises: { cuts: 'everywhere', deadProcesses: 1, refuses: true },
    async happen({ stores }) {
      await third(stores).kill9()
      await pause(1_000)
      await third(stores).start()
    },
  },
  {
    name: 'process-ended',
    what: 'One of three processes gets SIGTERM and is started again',
    ground: plain,
    promises: { cuts: 'at the process', deadProcesses: 1, readiness: /^503/, refuses: true },
    async happen({ stores }) {
      await third(stores).end()
      await third(stores).start()
    },
  },
  {
    name: 'process-hangs',
    what: 'One of three processes is stopped (SIGSTOP) for 3 s while others write',
    ground: plain,
    promises: { deadProcesses: 1, mostLines: 2, about: /database/, slowestMs: 6_000, refuses: true },
    async happen({ stores }) {
      third(stores).runs.at(-1)?.child.kill('SIGSTOP')
      await pause(3_000)
      third(stores).runs.at(-1)?.child.kill('SIGCONT')
    },
  },
  {
    name: 'ended-by-slow-senders',
    what: 'A process gets SIGTERM while clients hold half a header and half a body',
    ground: plain,
    promises: { cuts: 'at the process', deadProcesses: 1, readiness: /^503/, refuses: true },
    async happen({ stores }) {
      const texts = [
        'GET /v1/pets HTTP/1.1\r\nHost: x\r\n',
        'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{',
      ]
      const slow = await Promise.all(texts.map(() => openRawConnection(third(stores).url)))
      for (const [i, { socket }] of slow.entries()) socket.write(texts[i] ?? '')
      const began = performance.now()
      const code = await third(stores).end()
      const ms = performance.now() - began
      await third(stores).start()
      return [{ holds: code === 0 && ms < 10_500, seen: `exit ${code} after ${(ms / 1000).toFixed(1)} s` }]
    },
  },
  {
    name: 'log-disk-full',
    what: "The disk under one process's log is full (/dev/full)",
    ground: plain,
    promises: { cuts: 'everywhere', deadProcesses: 1, refuses: true },
    happen: ({ stores }) => withLog(third(stores), openSync('/dev/full', 'w')),
  },
  {
    name: 'log-reader-stalls',
    what: "The reader of one process's log stalls (a pipe without a reader)",
    ground: plain,
    promises: { cuts: 'everywhere', deadProcesses: 1, refuses: true },
    async happen({ stores }) {
      const folder = mkdtempSync(join(tmpdir(), 'animal-store-log-'))
      execFileSync('mkfifo', [join(folder, 'pipe')])
      const checks = await withLog(third(stores), openSync(join(folder, 'pipe'), constants.O_RDWR))
      rmSync(folder, { recursive: true })
      return checks
    },
  },
  {
    name: 'clock-steps',
    what: 'The clock of one process steps back an hour, and then an hour ahead',
    ground: plain,
    promises: { cuts: 'everywhere', deadProcesses: 1, refuses: true },
    happen: stepClock,
    obstacle: () => (fakeTime ? null : 'needs libfaketime'),
  },
  {
    name: 'slow-clients',
    what: '500 clients send half a header, and 500 half a body, to one process',
    ground: plain,
    promises: { limits: 'exact' },
    happen: sendSlowly,
  },
  {
    name: 'started-alone',
    what: 'A process starts while PostgreSQL and Redis are both down; PostgreSQL and Redis start 3 s later',
    ground: plain,
    promises: {
      ...{ cuts: 'everywhere', refuses: true, deadProcesses: 1, wellWithinMs: 5_000 },
      ...{ says: /cannot serve/, about: /database/, mostLines: 2, readiness: /503/ },
    },
    happen: startAlone,
  },
]

const third = (stores: readonly Store[]): Store => {
  const store = stores[2]
  if (!store) throw new Error('There are not three processes.')
  return store
}

/**
 * Restarts the process with `log` as output, and sends so many requests that the buffer of the log overflows. Checks
 * that the process counts the dropped log lines and still ends in time.
 */
async function withLog(store: Store, log: number): Promise<Check[]> {
  await store.kill9()
  await store.start({ log })
  const client = openClient(null)
  const ask = () => client.ask(`${store.url}/livez`, { headers: { 'x-request-id': 'r'.repeat(128) } })
  for (let i = 0; i < 300; i++) await Promise.all(Array.from({ length: 20 }, ask))
  const { text } = await client.ask(`${store.opsUrl}/metrics`)
  const dropped = Number(/^animal_store_log_lines_dropped_total (\d+)$/m.exec(text)?.[1])
  const began = performance.now()
  const code = await store.end()
  const ms = performance.now() - began
  closeSync(log)
  client.close()
  await store.start()
  return [
    { holds: dropped > 0, seen: `${dropped} lines dropped and counted` },
    { holds: code === 0 && ms < 10_500, seen: `told to end, exit ${code} after ${(ms / 1000).toFixed(1)} s` },
  ]
}

const [fakeTime] = globSync('/usr/lib/*/faketime/libfaketime.so.1')

async function stepClock({ stores, makeProject }: Ground): Promise<Check[]> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-clock-'))
  const file = join(folder, 'offset')
  writeFileSync(file, '+0')
  const store = third(stores)
  const limited = await makeProject({ perMinute: 1 })
  const client = openClient(limited.secret)
  await store.kill9()
  // Do not fake the monotonic clock, because the service's timers use this clock and an operator cannot set this clock
  // on a real machine.
  const env = {
    ...{ LD_PRELOAD: fakeTime ?? '', FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1' },
    ...{ FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1' },
  }
  await store.start({}, env)
  const waits: number[] = []
  const steps: number[] = []
  await client.ask(`${store.url}/v1/pets`)
  for (const offset of ['-3600', '+3600']) {
    writeFileSync(file, offset)
    await pause(1_500)
    const { status, headers } = await client.ask(`${store.url}/v1/pets`)
    steps.push(Math.round((Date.parse(headers.date ?? '') - Date.now()) / 60_000))
    waits.push(status === 429 ? Number(headers['retry-after']) : Number.NaN)
  }
  writeFileSync(file, '+0')
  await store.kill9()
  await store.start()
  client.close()
  rmSync(folder, { recursive: true })
  const holds = waits.every(seconds => seconds > 0 && seconds <= 60)
  return [
    { holds, seen: `the process sent Retry-After ${waits.join(' s and ')} s for a limit by the minute` },
    // Shows that the fault changed the clocks at all.
    {
      holds: steps.join() === '-60,60',
      seen: `its clock was ${steps.join(' and then ')} minutes from the right time`,
    },
  ]
}

async function sendSlowly({ stores }: Ground): Promise<Check[]> {
  const texts = [
    'GET /v1/pets HTTP/1.1\r\nHost: x\r\n',
    'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{',
  ]
  const began = performance.now()
  const closed = await Promise.all(
    Array.from({ length: 1_000 }, async (_, i) => {
      const { socket, ended } = await openRawConnection(third(stores).url)
      socket.write(texts[i % 2] ?? '')
      await Promise.race([ended, pause(20_000)])
      const ms = performance.now() - began
      socket.destroy()
      return ms
    }),
  )
  const last = Math.max(...closed)
  return [{ holds: last < 15_000, seen: `the last of 1,000 was closed after ${(last / 1000).toFixed(1)} s` }]
}

async function startAlone({ stores, postgres, limits }: Ground): Promise<Check[]> {
  const store = third(stores)
  await store.kill9()
  await Promise.all([postgres.kill9(), limits.nodes[0]?.kill9()])
  const starting = store.start()
  const client = openClient(null)
  const ask = (path: string) => client.ask(`${store.url}${path}`)
  const [livez, readyz] = [await untilAnswered(() => ask('/livez')), await ask('/readyz')]
  await pause(3_000)
  client.close()
  await Promise.all([postgres.restart(), limits.nodes[0]?.restart()])
  await starting
  const holds = livez.status === 200 && readyz.status === 503
  return [{ holds, seen: `meanwhile /livez ${livez.status}, /readyz ${readyz.status}` }]
}

async function untilAnswered(ask: () => Promise<Answer>): Promise<Answer> {
  for (const giveUpAt = performance.now() + 20_000; ; await pause(50)) {
    const answer = await ask()
    if (answer.status !== 0 || performance.now() > giveUpAt) return answer
  }
}
