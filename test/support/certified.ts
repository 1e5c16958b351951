import { addDomain, reverifyDomain, verifyDomain } from '../../src/core/domains/domains.ts'
import { type NameServer, startNameServer } from '../../src/practice/name-server.ts'
import { type AuthorityProxy, startAuthorityProxy } from './authority-proxy.ts'
import { type MovableClock, movableClock } from './clock.ts'
import { certificateState, makeDeployed, type Platform, startPlatform } from './hosting.ts'
import { type Pebble, startPebble } from './pebble.ts'
import { freePort } from './programs.ts'
import type { TestProject } from './start-app.ts'
import { answersAt, type Running, startProcess } from './start-process.ts'

export type Authority = { dns: NameServer; pebble: Pebble; port: number; stop(): Promise<void> }

/**
 * Starts a name server and Pebble, an authority for tests. To validate a name, Pebble always sends its HTTP request to
 * the free port that is returned as `port`.
 */
export async function startAuthority(): Promise<Authority> {
  const port = await freePort()
  const dns = await startNameServer()
  const pebble = await startPebble({ dns: dns.at, httpPort: port })
  return {
    dns,
    pebble,
    port,
    async stop() {
      await pebble.stop()
      await dns.stop()
    },
  }
}

export type Certified = {
  platform: Platform
  proxy: AuthorityProxy
  clock: MovableClock
  /** Environment for a further process with the same database. */
  env: Record<string, string>
  startAnother(more?: Record<string, string>): Promise<Running>
  /** Makes a project that may have domains. */
  shop(): Promise<Shop>
  /** Points the project's names at an address where nothing listens. */
  breakRecords(shop: Shop): void
  stop(): Promise<void>
}

export type Shop = TestProject & {
  target: string
  /** Adds domains with these names, points their DNS records at the service, and verifies them. */
  verify(...names: string[]): Promise<void>
  reverify(name: string): Promise<unknown>
}

export const secretsKey = Buffer.alloc(32, 7).toString('base64')

/** Starts processes that share the test's clock, and a proxy in front of Pebble that simulates faults. */
export async function startCertified(
  { dns, pebble, port }: Authority,
  options: {
    processes?: number
    env?: Record<string, string>
    /** Returns the environment for several authorities, the first of which is the proxy. */
    several?: (first: AuthorityProxy) => Record<string, string>
  } = {},
): Promise<Certified> {
  const clock = movableClock()
  const proxy = await startAuthorityProxy(pebble)
  const own = {
    ...proxy.env,
    DNS_SERVERS: dns.at,
    SECRETS_KEY: secretsKey,
    ...options.several?.(proxy),
    ...options.env,
  }
  const platform = await startPlatform({ ports: [port], clock, processes: options.processes ?? 1, env: own })
  const { tools } = platform.first
  const env = { ...own, DATABASE_URL: tools.config.databaseUrl ?? '', DOMAIN_SUFFIXES: 'test,example' }
  const others: Running[] = []
  const records = new Map<string, string>()
  const broken = new Set<string>()

  async function shop(): Promise<Shop> {
    const made = await makeDeployed(platform)
    const { db, hosting, jobs } = tools
    return {
      ...made,
      async verify(...names) {
        records.set(made.target, `A 127.0.0.${broken.has(made.target) ? 99 : 1}`)
        for (const name of names) records.set(name, `CNAME ${made.target}`)
        dns.setZone([...records].map(([owner, record]) => `${owner} ${record}`))
        for (const name of names) {
          await addDomain(db, hosting, made.project, { name })
          await verifyDomain(db, hosting, made.project, name)
        }
        jobs.wake('domains')
      },
      async reverify(name) {
        clock.advance(11_000)
        const domain = await reverifyDomain(db, hosting, made.project, name)
        jobs.wake('domains')
        return domain
      },
    }
  }

  return {
    platform,
    proxy,
    clock,
    env,
    shop,
    breakRecords: ({ target }) => void broken.add(target),
    async startAnother(more = {}) {
      const other = await startProcess({ ...env, ...more })
      others.push(other)
      await other.printed(answersAt)
      return other
    },
    async stop() {
      for (const { child } of others) child.kill('SIGKILL')
      await Promise.all(others.map(other => other.ended))
      await platform.stop()
      await proxy.stop()
    },
  }
}

export const stateOf = ({ platform }: Certified, name: string) => certificateState(platform.first, name)
