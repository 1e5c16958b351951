import { setTimeout as pause } from 'node:timers/promises'
import { lookUpHosts, type OwnedName, type ServedHost } from '../core/domains/served-hosts.ts'
import { batch } from '../database/batch.ts'
import type { Changes } from '../database/changes.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import type { Clock } from '../tools/clock.ts'
import { concerns, type HostChange, isOfAll, makeHostCache } from './host-cache.ts'

/** The hosts that are served. One is looked up when somebody asks for it, and kept until the log tells of a change. */
export type Hosts = {
  /** What is kept of the name: null where nobody is served, undefined where the database has to be asked. */
  findKept(name: string): ServedHost | null | undefined
  /** False for a name of which this process knows nothing, or only that it is nobody's. */
  isKnown(name: string): boolean
  /** Null where nobody is served; rejects where the database has to be asked and cannot be. */
  find(name: string): Promise<ServedHost | null>
  /** Tells each name that may be served differently from now on; null is any name. */
  onChange(listener: (name: string | null) => void): void
  /** Settles when no process serves anything any more that it kept before now. */
  waitUntilForgotten(): Promise<void>
}

/**
 * A process whose last look at the log began longer ago serves nothing that it kept. So a removal holds everywhere after
 * this time, whoever could not be told of it. Short of the promised second, and long enough for a database that stalls.
 */
const trustedMs = 500
/** Clocks of different machines do not run equally fast. */
const marginMs = 10

/** Names of DNS alone are looked up: one word belongs to nobody, and what PostgreSQL cannot read is no name. */
const nameOfHost = /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/

/** While the database is away nobody waits for it again so soon after it was asked in vain. */
const askAgainAfterMs = 1_000

const notFailed = { error: null as unknown, at: Number.NEGATIVE_INFINITY }

type Tools = { db: PrismaClient; clock: Clock; changes: Changes; platformHost: string }

export function openHosts({ db, clock, changes, platformHost }: Tools): Hosts {
  const cache = makeHostCache(platformHost)
  const listeners: ((name: string | null) => void)[] = []
  /** For each statement under way the changes that came in since it began, which it may not have seen. */
  const underWay = new Set<HostChange[]>()
  let failure = notFailed

  changes.follow(change => {
    if (change && change.what !== 'hosts') return
    for (const missed of underWay) missed.push(change)
    cache.forget(change)
    // What cannot be told is told when the log can be read again.
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

  function findKept(name: string): ServedHost | null | undefined {
    if (!nameOfHost.test(name)) return null
    const owned = changes.isTrusted(trustedMs) ? cache.get(name) : undefined
    return owned === undefined ? undefined : served(owned)
  }

  return {
    findKept,
    isKnown: cache.wasOwned,
    async find(name) {
      const kept = findKept(name)
      if (kept !== undefined) return kept
      const isAway = !changes.isTrusted(trustedMs) && performance.now() - failure.at < askAgainAfterMs
      if (isAway) throw failure.error
      return served(await lookUp(name))
    },
    onChange: listener => void listeners.push(listener),
    async waitUntilForgotten() {
      // This process hears of the change at once, where it can.
      await Promise.all([pause(trustedMs + marginMs), changes.look().catch(() => {})])
    },
  }
}
