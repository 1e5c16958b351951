import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/service.ts'
import { StartRefused } from '../../src/tools/start-refused.ts'
import { ask } from '../support/ask.ts'
import { administer, freshDatabase } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'
import { answersAt, startProcess } from '../support/start-process.ts'
import { isReady, keepAsking, makeStore, startProcesses } from '../support/start-processes.ts'

const itWithBoth = it.runIf(findProgram('postgres') && findProgram('redis-server'))
/** `npm run faults -- --only processes-replaced` replaces the processes ten times. */
const rollOvers = Number(process.env.ROLL_OVERS ?? 2)
// A process alone may take twenty seconds to start on busy cores, and each test starts several.
vi.setConfig({ testTimeout: 240_000 })
const agents = () => [
  ...Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 })),
  ...Array.from({ length: 2 }, () => false as const),
]

itWithBoth('PROCESSES=2 starts two processes on one port, and a killed one is replaced', async () => {
  const store = await makeStore()
  const service = await startProcesses(store)
  await expect.poll(() => isReady(service), { timeout: 60_000 }).toBe('2 of 2 ready')
  const [first = 0, second = 0] = await service.pids()
  const startedAt = await service.metric('process_start_time_seconds')

  process.kill(first, 'SIGKILL')
  const line = await service.printed(/\{[^\n]*ended: SIGKILL; starting another in 0\.1 s[^\n]*\}/)
  await expect.poll(() => isReady(service), { timeout: 60_000 }).toBe('2 of 2 ready')

  expect(JSON.parse(line[0])).toMatchObject({ level: 50, pid: service.child.pid })
  const now = await service.pids()
  expect(now).toHaveLength(2)
  expect(now).toContain(second)
  expect(now).not.toContain(first)
  expect(await service.metric('animal_store_process_deaths_total')).toBe(1)
  // The start time of the parent, which does not change when a process dies or is replaced.
  expect(await service.metric('process_start_time_seconds')).toBe(startedAt)
  const pending = Array.from({ length: 20 }, () =>
    ask(`${service.url}/v1/pets`, { headers: { authorization: `Bearer ${store.secret}` } }),
  )
  expect((await Promise.all(pending)).map(({ status }) => status)).toEqual(Array(20).fill(200))
})

itWithBoth(
  `SIGHUP replaces both processes ${rollOvers} times without losing a request`,
  async () => {
    const store = await makeStore()
    const service = await startProcesses(store, { DRAIN_SECONDS: '5', WARM_UP: '1' })
    await expect.poll(() => isReady(service), { timeout: 60_000 }).toBe('2 of 2 ready')
    const before = await service.pids()
    const clients = agents().map(agent => keepAsking(`${service.url}/v1/pets?limit=1`, store.secret, agent))
    const probe = keepAsking(`${service.url}/readyz`, store.secret, false)

    for (let round = 1; round <= rollOvers; round++) {
      service.child.kill('SIGHUP')
      await service.printed(new RegExp(`(the processes were replaced[^]*){${round}}`))
    }
    const outcomes = await Promise.all([...clients, probe].map(client => client.stop()))

    for (const outcome of outcomes) expect(Object.keys(outcome)).toEqual(['200'])
    for (const pid of await service.pids()) expect(before).not.toContain(pid)
    expect(await isReady(service)).toBe('2 of 2 ready')
  },
  240_000,
)

itWithBoth('SIGTERM drains all processes: they serve on while not ready, and lose no request', async () => {
  const store = await makeStore()
  const service = await startProcesses(store, { DRAIN_SECONDS: '1', LOG_REQUESTS: '1', LOG_LEVEL: 'info' })
  await expect.poll(() => isReady(service), { timeout: 60_000 }).toBe('2 of 2 ready')
  const clients = agents().map(agent => keepAsking(`${service.url}/v1/pets?limit=1`, store.secret, agent))
  await expect.poll(() => clients.every(({ outcomes }) => (outcomes['200'] ?? 0) > 0)).toBe(true)
  // The event `close` comes after the last line of the log; `ended` may come before this line.
  const closed = once(service.child, 'close')

  service.child.kill('SIGTERM')
  await expect.poll(async () => (await ask(`${service.url}/readyz`)).status, { interval: 5 }).toBe(503)
  const [code] = await closed
  const outcomes = await Promise.all(clients.map(client => client.stop()))

  expect(code).toBe(0)
  // When the service ends, new connections are refused, or reset if no process has accepted them. No other failure may
  // occur.
  for (const outcome of outcomes)
    expect(
      Object.keys(outcome).filter(
        name => !/ECONNREFUSED|(?:read|connect) ECONNRESET.* on a new connection$/.test(name),
      ),
    ).toEqual(['200'])
  // Each request that a process logged was answered, and the client received the answer.
  const taken = service.output().match(/"route":"\/v1\/pets"/g)?.length
  expect(taken).toBe(outcomes.reduce((sum, outcome) => sum + (outcome['200'] ?? 0), 0))
})

itWithBoth('the metrics of both processes are added up, and do not fall when one of them ends', async () => {
  const store = await makeStore()
  const service = await startProcesses(store)
  await expect.poll(() => isReady(service), { timeout: 60_000 }).toBe('2 of 2 ready')
  const answers = 'animal_store_request_seconds_count{method="GET",route="/v1/pets",status="200"}'
  const headers = { authorization: `Bearer ${store.secret}` }
  const each = () => Promise.all(Array.from({ length: 40 }, () => ask(`${service.url}/v1/pets`, { headers })))

  await each()
  await expect.poll(() => service.metric(answers)).toBe(40)
  expect(await service.metric('animal_store_ready')).toBe(1)
  expect(await service.metric('animal_store_processes{state="ready"}')).toBe(2)
  expect(await service.metric('animal_store_migrations{state="pending"}')).toBe(0)
  const [first = 0] = await service.pids()
  process.kill(first, 'SIGKILL')
  await service.printed(/ended: SIGKILL/)
  await expect.poll(() => service.metric(answers)).toBe(40)
  await each()
  service.child.kill('SIGHUP')
  await service.printed(/the processes were replaced/)

  await expect.poll(() => service.metric(answers)).toBe(80)
})

itWithBoth('an invalid setting stops a roll-over, and the old processes serve on', async () => {
  const store = await makeStore()
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-secret-'))
  const file = join(folder, 'operator')
  const [old = '', next = ''] = ['o', 'n'].map(letter => letter.repeat(32))
  writeFileSync(file, old)
  const service = await startProcesses(store, { OPERATOR_KEY_FILE: file })
  await expect.poll(() => isReady(service), { timeout: 60_000 }).toBe('2 of 2 ready')
  const status = async (key: string) => {
    const body = JSON.stringify({ query: '{ plans { name } }' })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    return (await ask(`${service.url}/graphql`, { method: 'POST', headers, body })).status
  }
  const before = await service.pids()

  writeFileSync(file, 'too short')
  service.child.kill('SIGHUP')
  await service.printed(
    /SIGHUP: OPERATOR_KEY must have 32 to 190 characters[^\n]*The old processes continue to serve/,
  )
  expect(await service.pids()).toEqual(before)
  expect(await status(old)).toBe(200)
  writeFileSync(file, next)
  service.child.kill('SIGHUP')
  await service.printed(/the processes were replaced/)
  const statuses = await Promise.all([old, old, old, old, next, next, next, next].map(status))

  rmSync(folder, { recursive: true })
  expect(statuses).toEqual([401, 401, 401, 401, 200, 200, 200, 200])
})

it.runIf(findProgram('postgres')).each([
  ['that is out of reach', 'the connection is refused', async () => 'postgresql://127.0.0.1:9/store'],
  [
    'that loses a table after the migrations',
    'its tables are not there yet',
    async () => {
      const { env, remove } = await freshDatabase()
      onTestFinished(remove)
      const url = env.DATABASE_URL ?? ''
      await administer(url, 'ALTER TABLE acme_accounts RENAME TO lost_accounts')
      return url
    },
  ],
])(
  'in a rolling restart, a new process gives up waiting for a database %s, so that the old processes keep serving',
  async (_, why, makeUrl) => {
    const secretsKey = Buffer.alloc(32, 1).toString('base64')
    const config = readConfig({ DATABASE_URL: await makeUrl(), SECRETS_KEY: secretsKey, LOG_LEVEL: 'silent' })

    // `npm start` waits a minute for the database; this test waits only one second.
    const service = await startService(config, { part: 'later', databaseWaitMs: 1_000 })
    onTestFinished(() => service.stop())

    await expect(service.up).rejects.toThrow(new StartRefused(`The database cannot serve: ${why}.`))
  },
)

it('PROCESSES is refused on the embedded database with one sentence', async () => {
  const { printed, ended, output } = await startProcess({ PROCESSES: 'auto' })
  await printed(/PROCESSES needs DATABASE_URL and REDIS_URL/)

  expect(await ended).toBe(1)
  expect(output().trim().split('\n')).toHaveLength(1)
})

itWithBoth(
  'a port that is taken stops the start with one sentence, and a killed parent takes its processes along',
  async () => {
    const store = await makeStore()
    const service = await startProcesses(store)
    await expect.poll(() => isReady(service), { timeout: 60_000 }).toBe('2 of 2 ready')
    const other = await startProcess({ ...store.env, PROCESSES: '2', PORT: new URL(service.url).port })
    expect(await other.ended).toBe(1)
    expect(other.output().trim().split('\n')).toEqual([
      expect.stringContaining('another program listens there'),
    ])
    const pids = await service.pids()

    service.child.kill('SIGKILL')
    await service.ended

    const isAlive = (pid: number) => {
      try {
        return process.kill(pid, 0)
      } catch {
        return false
      }
    }
    await expect.poll(() => pids.filter(isAlive), { timeout: 10_000 }).toEqual([])
    expect(service.output()).toMatch(answersAt)
  },
)
