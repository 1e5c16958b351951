import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type BalancerName, startBalancer } from '../support/balancers.ts'
import { fitPooler } from '../support/poolers.ts'
import type { Program } from '../support/programs.ts'
import {
  copyPostgres,
  type Service,
  setForPooler,
  startPgBouncer,
  startPostgres,
} from '../support/services.ts'
import type { Way } from '../support/start-process.ts'
import { type Client, openClient } from './client.ts'
import { openLimits, type SharedLimits } from './shared-limits.ts'
import { type Store, startStore } from './stores.ts'
import { allOf, openWire, type Wires } from './wires.ts'

/** Describes which services the three processes use. Faults with the same plan share the started services. */
export type GroundPlan = {
  postgres?: 'alone' | 'replicated' | 'pooled'
  redis?: SharedLimits['kind']
  balancer?: BalancerName
  /** True if each process reaches PostgreSQL and Redis by wires of its own, which faults can cut. */
  wired?: true
  /** Changes the balancer's configuration, as an operator might. */
  balancerFile?: (text: string) => string
  /**
   * Prepares a special way to PostgreSQL, for example a host name. Returns the database URL for the processes of the
   * service as `url`, and the options for starting these processes as `way`.
   */
  address?: (postgres: Service) => Promise<{ url: string; way: Way; stop(): void | Promise<void> }>
}

/** The usual services: one PostgreSQL, one Redis, and HAProxy. */
export const plain: GroundPlan = {}
/** For faults that start their own services. */
export const nothing: GroundPlan = {}
export const replicated: GroundPlan = { postgres: 'replicated' }
export const pooled: GroundPlan = { postgres: 'pooled' }
export const clustered: GroundPlan = { redis: 'cluster' }
export const wired: GroundPlan = { wired: true }
export const watched: GroundPlan = { redis: 'sentinel' }

export type Ground = {
  postgres: Service
  replica: Service | null
  pooler: Service | null
  limits: SharedLimits
  balancer: Program & { url: string }
  stores: Store[]
  /** The wires of each process; empty if the plan has no wires. */
  wires: Wires[]
  /** Runs SQL directly on PostgreSQL, as a superuser. */
  sql(text: string): Promise<Record<string, unknown>[]>
  /** From now on, `sql` sends its statements to this address. */
  turnTo(url: string): void
  makeProject(limits?: { perMinute: number }): Promise<Project>
  stop(): Promise<void>
}
export type Project = { slug: string; secret: string }

const operatorKey = `operator-${randomUUID()}`

export async function layGround(plan: GroundPlan): Promise<Ground> {
  const stops: (() => void | Promise<void>)[] = []
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each()
  }
  try {
    return await layAll(plan, stops, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

async function layAll(
  plan: GroundPlan,
  stops: (() => void | Promise<void>)[],
  stop: () => Promise<void>,
): Promise<Ground> {
  const postgres = await startPostgres()
  stops.push(() => postgres.stop())
  const limits = await openLimits(plan.redis ?? 'single')
  stops.push(() => limits.stop())
  const replica = plan.postgres === 'replicated' ? await replicate(postgres) : null
  if (replica) stops.push(() => replica.stop())
  const pooler = plan.postgres === 'pooled' ? await pool(postgres) : null
  if (pooler) stops.push(() => pooler.stop())
  const between = await plan.address?.(postgres)
  if (between) stops.push(() => between.stop())
  const env = {
    DATABASE_URL: between?.url ?? pooler?.url ?? addressOf(postgres.port, ...(replica ? [replica.port] : [])),
    ...(pooler && { DATABASE_DIRECT_URL: postgres.url }),
    REDIS_URL: limits.url,
    OPERATOR_KEY: operatorKey,
    TRUST_PROXY: '1',
  }
  const stores: Store[] = []
  stops.push(async () => {
    await Promise.all(stores.map(store => store.kill9()))
  })
  const wires = plan.wired
    ? await Promise.all([1, 2, 3].map(() => wire([postgres, ...(replica ? [replica] : [])], limits)))
    : []
  stops.push(() => {
    for (const each of wires.flatMap(allOf)) each.stop()
  })
  const start = (i: number) => startStore({ ...env, ...addressesOn(wires[i]) }, between?.way)
  // The first process migrates the database.
  stores.push(await start(0))
  stores.push(...(await Promise.all([start(1), start(2)])))
  const urls = stores.map(({ url }) => url)
  const balancer = await startBalancer(plan.balancer ?? 'haproxy', urls, plan.balancerFile)
  stops.push(() => balancer.stop())

  const operator = openClient(operatorKey)
  let databaseUrl = postgres.url
  return {
    ...{ postgres, replica, pooler, limits, balancer, stores, wires, stop },
    sql: text => askDatabase(databaseUrl, text),
    turnTo(url) {
      databaseUrl = url
    },
    makeProject: limits => makeProject(operator, urls[0] ?? '', limits?.perMinute ?? 10_000_000),
  }
}

async function wire(hosts: Service[], limits: SharedLimits): Promise<Wires> {
  const [redis] = limits.nodes
  if (!redis || limits.kind !== 'single') throw new Error('Only a single Redis has wires.')
  return {
    postgres: await Promise.all(hosts.map(({ port }) => openWire(port))),
    redis: await openWire(redis.port),
  }
}

function addressesOn(wires: Wires | undefined): Record<string, string> {
  if (!wires) return {}
  return {
    DATABASE_URL: addressOf(...wires.postgres.map(({ port }) => port)),
    REDIS_URL: `redis://127.0.0.1:${wires.redis.port}`,
  }
}

/** Makes a synchronous replica: it confirms each write, so its promotion loses no acknowledged write. */
async function replicate(postgres: Service): Promise<Service> {
  const replica = await copyPostgres(postgres, { streams: true })
  await askDatabase(postgres.url, `ALTER SYSTEM SET synchronous_standby_names = '*'`)
  await askDatabase(postgres.url, 'SELECT pg_reload_conf()')
  return replica
}

async function pool(postgres: Service): Promise<Service> {
  if (!fitPooler) throw new Error('PgBouncer 1.21 or newer is not installed.')
  await setForPooler(postgres)
  const more = ['max_prepared_statements = 200']
  return startPgBouncer(postgres, { command: fitPooler, mode: 'transaction', more })
}

function addressOf(...ports: number[]): string {
  const hosts = ports.map(port => `127.0.0.1:${port}`).join()
  const which = ports.length > 1 ? '?target_session_attrs=read-write' : ''
  return `postgresql://postgres@${hosts}/postgres${which}`
}

export async function askDatabase(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

/** Creates a project over GraphQL with the operator key, as an operator does. */
async function makeProject(operator: Client, url: string, perMinute: number): Promise<Project> {
  const slug = `shop-${randomUUID().slice(0, 8)}`
  const query = `mutation ($input: NewProject!) { createProject(input: $input) { owner { secret } } }`
  const limits = { requestsPerMinute: perMinute, requestsPerDay: perMinute * 10 }
  const input = { slug, plan: 'enterprise', limits }
  const body = { query, variables: { input } }
  for (let tries = 1; ; tries++) {
    const { text } = await operator.ask(`${url}/graphql`, { method: 'POST', body })
    const { data } = JSON.parse(text) as { data?: { createProject?: { owner: { secret: string } } } }
    if (data?.createProject) return { slug, secret: data.createProject.owner.secret }
    // On a busy machine the database may be unavailable for a moment to a process that has just started.
    if (tries === 10 || !text.includes('unavailable')) throw new Error(`The project was not made: ${text}`)
    await pause(1_000)
  }
}
