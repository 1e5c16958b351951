import { readFile } from 'node:fs/promises'
import { type Agent, request } from 'node:http'
import { onTestFinished } from 'vitest'
import { aMoment } from './a-moment.ts'
import { ask } from './ask.ts'
import { type FreshDatabase, freshDatabase, freshRedis } from './databases.ts'
import { type App, startApp } from './start-app.ts'
import { answersAt, type Running, startProcess } from './start-process.ts'

export type Store = { env: Record<string, string>; secret: string }

/** A database, a Redis, and a key of a project without limits. */
export async function makeStore(): Promise<Store> {
  const database: FreshDatabase = await freshDatabase()
  const env = { ...database.env, REDIS_URL: (await freshRedis()) ?? '' }
  const here: App = await startApp({ env })
  const { secret } = await here.makeProject({ perMinute: 1_000_000, perDay: 1_000_000 })
  await here.stop()
  onTestFinished(database.remove)
  return { env, secret }
}

export type Processes = Running & {
  /** The processes that serve now, by their ids. */
  pids(): Promise<number[]>
  metric(line: string): Promise<number>
}

/** Starts the service with PROCESSES=2, and waits until the two processes serve requests. */
export async function startProcesses({ env }: Store, more: Record<string, string> = {}): Promise<Processes> {
  const service = await startProcess({ ...env, PROCESSES: '2', LOG_REQUESTS: '0', ...more })
  onTestFinished(async () => {
    service.child.kill('SIGKILL')
    await service.ended
  })
  await service.printed(answersAt)
  return { ...service, pids: () => childrenOf(service), metric: line => metricOf(service, line) }
}

async function childrenOf({ child }: Running): Promise<number[]> {
  const text = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  return text.trim().split(' ').filter(Boolean).map(Number)
}

async function metricOf({ opsUrl }: Running, name: string): Promise<number> {
  const { text } = await ask(`${opsUrl}/metrics`)
  const line = text.split('\n').find(found => found.startsWith(`${name} `))
  return Number(line?.slice(name.length))
}

export const isReady = (service: Running) =>
  ask(`${service.opsUrl}/readyz`).then(
    ({ json }) => (json as { processes?: string }).processes,
    ({ code }) => code,
  )

/** Sends requests one after the other, as a client with one connection, until stopped. Counts the outcomes. */
export function keepAsking(url: string, secret: string, agent: Agent | false) {
  const outcomes: Record<string, number> = {}
  let isOver = false
  const outgoing = (async () => {
    while (!isOver) {
      const outcome = await once(url, secret, agent)
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      await aMoment()
    }
  })()
  return {
    outcomes,
    async stop() {
      isOver = true
      await outgoing
      if (agent) agent.destroy()
      return outcomes
    },
  }
}

function once(url: string, secret: string, agent: Agent | false): Promise<string> {
  const headers = { authorization: `Bearer ${secret}` }
  return new Promise(resolve => {
    const outgoing = request(url, { headers, agent }, response => {
      response.resume()
      response.on('error', error => resolve(String(error)))
      response.on('end', () => resolve(String(response.statusCode)))
    })
    outgoing.on('error', error => resolve(`${error}${outgoing.reusedSocket ? '' : ' on a new connection'}`))
    outgoing.end()
  })
}
