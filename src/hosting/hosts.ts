import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { readHostsVersion, readServedHosts, type ServedHost } from '../core/served-hosts.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import type { Clock } from '../tools/clock.ts'
import type { Logger } from '../tools/log.ts'
import type { Bell } from './host-signal.ts'

/** Which hosts this process serves; always as the database had it a moment ago. */
export type Hosts = {
  start(): void
  find(name: string): ServedHost | undefined
  /** False while the database has been out of reach for so long that a host may have been removed meanwhile. */
  isFresh(): boolean
  onChange(listener: (hosts: ReadonlyMap<string, ServedHost>) => void): void
  /** Settles when every running process serves this version. */
  waitForAll(version: number): Promise<void>
  close(): Promise<void>
}

/** A change is told by a bell; a process that missed it, or that has none, looks at one number this often. */
const pollMs = 250
/** After this long without the database a process serves no hosts, so nobody has to wait for it any longer. */
const freshMs = 5_000
const reportMs = 2_000

export function openHosts(
  db: PrismaClient,
  clock: Clock,
  log: Logger,
  bell: Bell,
  platformHost: string,
): Hosts {
  const processId = randomUUID()
  const listeners: ((hosts: ReadonlyMap<string, ServedHost>) => void)[] = []
  const closing = new AbortController()
  let pause = new AbortController()
  let hosts = new Map<string, ServedHost>()
  let version = -1
  let readAt = Number.NEGATIVE_INFINITY
  let reportedAt = Number.NEGATIVE_INFINITY

  async function poll(): Promise<void> {
    const startedAt = performance.now()
    const latest = await readHostsVersion(db)
    const changed = latest !== version
    if (changed) {
      const reading = await readServedHosts(db, platformHost)
      hosts = reading.hosts
      version = reading.version
      for (const listener of listeners) listener(hosts)
      bell.ring()
    }
    readAt = startedAt
    // Others learn of a new version at once, and now and then that this process still runs.
    if (changed || startedAt - reportedAt > reportMs) {
      await report()
      reportedAt = startedAt
    }
  }

  async function report(): Promise<void> {
    await db.$executeRaw`
      INSERT INTO serving_processes (id, hosts_version, seen_at) VALUES (${processId}::uuid, ${version}, now())
      ON CONFLICT (id) DO UPDATE SET hosts_version = ${version}, seen_at = now()`
  }

  let polling = Promise.resolve()
  const keepPolling = async () => {
    while (!closing.signal.aborted) {
      pause = new AbortController()
      await poll().catch(error => log.warn({ error }, 'cannot read the hosts'))
      const signal = AbortSignal.any([pause.signal, closing.signal])
      await wait(pollMs, undefined, { signal }).catch(() => {})
    }
  }

  return {
    start() {
      bell.onRing(() => pause.abort())
      polling = keepPolling()
    },
    find(name) {
      const host = hosts.get(name)
      const over = host?.servedUntil && host.servedUntil.getTime() <= clock.now()
      return over ? undefined : host
    },
    isFresh: () => performance.now() - readAt < freshMs,
    onChange: listener => void listeners.push(listener),

    async waitForAll(wanted) {
      pause.abort()
      bell.ring()
      for (;;) {
        const [row] = await db.$queryRaw<{ behind: bigint }[]>`
          SELECT count(*) AS behind FROM serving_processes
          WHERE hosts_version < ${wanted} AND seen_at > now() - interval '8 seconds'`
        if (!row || row.behind === 0n) return
        await wait(50)
      }
    },

    async close() {
      closing.abort()
      await polling
      await db.servingProcess.deleteMany({ where: { id: processId } }).catch(() => {})
    },
  }
}
