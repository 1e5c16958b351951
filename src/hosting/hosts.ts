import { setTimeout as pause } from 'node:timers/promises'
import { lookUpHosts, type OwnedName, type ServedHost } from '../core/domains/served-hosts.ts'
import { batch } from '../database/batch.ts'
import type { Changes } from '../database/changes.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import type { Clock } from '../tools/clock.ts'
import { concerns, type HostChange, isOfAll, makeHostCache } from './host-cache.ts'

/** Finds served hosts. A host is read at its first request, and cached until the log reports a change. */
export type Hosts = {
  /** Returns the cached host, null if the name is not served, or undefined if the database must be queried. */
  findCached(name: string): ServedHost | null | undefined
  /** False if this process does not know the name, or knows that it has no owner. */
  isKnown(name: string): boolean
  /** Returns null if the name is not served. Rejects if the database must be queried and is unavailable. */
  find(name: string): Promise<ServedHost | null>
  /** Calls the listener with each name that a change names; null stands for all names. */
  onChange(listener: (name: string | null) => void): void
  /** Resolves when no process uses entries that were cached before this call. */
  waitUntilForgotten(): Promise<void>
}

/**
 * In milliseconds. A process ignores its cache of hosts if its last read of the log began longer ago than this time. So
 * every process stops serving a removed host within this time, even a process that cannot reach the database. The time
 * is long enough for a short stall of the database, and shorter than the second within which the service promises that
 * a removal takes effect.
 */
const trustedMs = 500
/** Clocks of different machines run at slightly different speeds. */
const marginMs = 10

/**
 * The database is queried only for texts of this form, with at least one dot. A name without a dot has no owner, and
 * some other texts would make PostgreSQL reject the query.
 */
const nameOfHost = /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/

/** In milliseconds. After a failed query, requests fail at once for this long. */
const askAgainAfterMs = 1_000

const notFailed = { error: null as unknown, at: Number.NEGATIVE_INFINITY }

type Tools = { db: PrismaClient; clock: Clock; changes: Changes; platformHost: string }

export function openHosts({ db, clock, changes, platformHost }: Tools): Hosts {
  const cache = makeHostCache(platformHost)
  const listeners: ((name: string | null) => void)[] = []
  /** For each running query, the changes since the query began. The query may not have seen these changes. */
  const underWay = new Set<HostChange[]>()
  let failure = notFailed

  changes.follow(change => {
    if (change && change.what !== 'hosts') return
    for (const missed of underWay) missed.push(change)
    cache.forget(change)
    // If the log cannot be read, listeners are called once it can be read again.
    if (change === null) failure = notFailed
    if (isOfAll(change)) for (const listener of listeners) listener(null)
    else if (change.name !== null) for (const listener of listeners) listener(change.name)
  })

  const lookUp = batch(async (names: readonly string[]) => {
    const missed: HostChange[] = []
    underWay.add(missed)
    try {
      const found = await lookUpHosts(db, platformHost, names)
      failure = notFailed
      if (changes.isTrusted(trustedMs)) keep(names, found, missed)
      return found
    } catch (error) {
      failure = { error, at: performance.now() }
      throw error
    } finally {
      underWay.delete(missed)
    }
  })

  function keep(
    names: readonly string[],
    found: readonly (OwnedName | null)[],
    missed: readonly HostChange[],
  ): void {
    for (const [n, name] of names.entries()) {
      const owned = found[n] ?? null
      if (!missed.some(change => concerns(change, name, owned, platformHost))) cache.set(name, owned)
    }
  }

  function served(owned: OwnedName | null): ServedHost | null {
    const host = owned?.host ?? null
    const isOver = host?.servedUntil && host.servedUntil.getTime() <= clock.now()
    return isOver ? null : host
  }

  function findCached(name: string): ServedHost | null | undefined {
    if (!nameOfHost.test(name)) return null
    const owned = changes.isTrusted(trustedMs) ? cache.get(name) : undefined
    return owned === undefined ? undefined : served(owned)
  }

  return {
    findCached,
    isKnown: cache.wasOwned,
    async find(name) {
      const cached = findCached(name)
      if (cached !== undefined) return cached
      const isAway = !changes.isTrusted(trustedMs) && performance.now() - failure.at < askAgainAfterMs
      if (isAway) throw failure.error
      return served(await lookUp(name))
    },
    onChange: listener => void listeners.push(listener),
    async waitUntilForgotten() {
      // Read the log now, so that this process knows the change. If the log cannot be read, this process ignores its
      // cache after the pause.
      await Promise.all([pause(trustedMs + marginMs), changes.read().catch(() => {})])
    },
  }
}
