import DataLoader from 'dataloader'
import { LRUCache } from 'lru-cache'
import { batch } from '../database/batch.ts'
import type { Changes } from '../database/changes.ts'
import type { Statements } from '../database/statements.ts'
import type { Clock } from '../tools/clock.ts'
import { isUsable, type Scope } from './api-keys.ts'
import { StoreError } from './errors.ts'
import { type KnownKey, lookUpKeys } from './look-up-keys.ts'
import type { Project } from './projects.ts'
import { hashSecret, isWellFormedSecret } from './secrets.ts'

/** Who is calling: a project through one of its API keys. */
export type Caller = {
  project: Project
  key: { id: string; prefix: string; scopes: readonly Scope[] }
}

/** A key that was looked up a moment ago needs no waiting. */
export type Callers = { find(secret: string): Promise<Caller | null> | Caller | null }

type Known = KnownKey | null
/** `trueAt` is when it was known last that this is so; `count` the count of changes that it was read under. */
type Entry = { known: Known; trueAt: number; count: string | null; refreshing: boolean }

/**
 * A revocation, plan change or suspension must hold everywhere within a second: nothing that the database said is
 * trusted longer than this, so no message between processes can get lost.
 */
const trustedMs = 900
/** After a change, keys in use are read again in the background, and gathered so long for one statement. */
const unhurriedMs = 150

export function openCallers(database: Statements, changes: Changes, clock: Clock): Callers {
  const entries = new LRUCache<string, Entry>({ max: 20_000 })
  // Keys that nobody issued wait apart, so that a flood of them drives out no real one.
  const unknown = new LRUCache<string, Entry>({ max: 10_000 })
  const load = (hashes: readonly string[]) => lookUpKeys(database, hashes)
  const soon = batch(load)
  const unhurried = new DataLoader(load, {
    cache: false,
    maxBatchSize: 500,
    batchScheduleFn: run => setTimeout(run, unhurriedMs).unref(),
  })

  async function read(secret: string, look: (hash: string) => Promise<Known>): Promise<Known> {
    const trueAt = performance.now()
    const count = changes.seen('keys', trustedMs)?.count ?? null
    const known = await look(hashSecret(secret).toString('hex'))
    // Kept by the secret itself, which every request brings into memory anyway: to hash it for each would cost more.
    const kept = known ? entries : unknown
    kept.set(secret, { known, trueAt, count, refreshing: false })
    if (!known) entries.delete(secret)
    return known
  }

  /** Without a change since, what was read is still so. */
  function confirm(secret: string, entry: Entry): void {
    const seen = changes.seen('keys', trustedMs)
    if (!seen) return
    if (seen.count === entry.count) entry.trueAt = Math.max(entry.trueAt, seen.askedAt)
    else if (!entry.refreshing) {
      entry.refreshing = true
      // A failed refresh is no fault yet: the entry ends by itself and the next request meets the failure.
      read(secret, hash => unhurried.load(hash)).catch(() => {
        entry.refreshing = false
      })
    }
  }

  function usable(known: Known): Caller | null {
    return known && isUsable(known, new Date(clock.now())) ? known.caller : null
  }

  return {
    find(secret) {
      const entry = entries.get(secret) ?? unknown.get(secret)
      if (!entry && !isWellFormedSecret(secret)) return null
      if (entry) confirm(secret, entry)
      const isTrusted = entry && performance.now() - entry.trueAt < trustedMs
      return isTrusted ? usable(entry.known) : read(secret, soon).then(usable)
    },
  }
}

export function holdsScope(caller: Caller, scope: Scope): boolean {
  return caller.key.scopes.includes(scope)
}

export function requireScope(caller: Caller, scope: Scope): void {
  if (holdsScope(caller, scope)) return
  throw new StoreError('insufficient_scope', `This API key lacks the scope ${scope}.`)
}

/** A key cannot give what it lacks itself. */
export function requireGrantable(caller: Caller, wanted: readonly string[]): void {
  const lacking = wanted.filter(scope => !caller.key.scopes.some(own => own === scope))
  if (lacking.length === 0) return
  throw new StoreError(
    'insufficient_scope',
    `This API key cannot grant ${lacking.join(', ')}: it lacks that itself.`,
  )
}
