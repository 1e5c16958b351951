import DataLoader from 'dataloader'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../tools/clock.ts'
import { gather } from '../tools/gather.ts'
import type { Statements } from '../tools/statements.ts'
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
type Entry = { known: Known; readAt: number; refreshing: boolean }

/**
 * A revocation, plan change or suspension must hold everywhere within a second: no answer of the database is
 * trusted longer than this, so no message between processes can get lost.
 */
const trustedMs = 900
/** Keys in steady use are read again in the background from this age on, so that no request waits for it. */
const refreshMs = 450
/** How long such look-ups are gathered for one statement; with refreshMs far from trustedMs. */
const unhurriedMs = 150

export function openCallers(database: Statements, clock: Clock): Callers {
  const entries = new LRUCache<string, Entry>({ max: 20_000 })
  // Keys that nobody issued wait apart, so that a flood of them drives out no real one.
  const unknown = new LRUCache<string, Entry>({ max: 1_000 })
  const load = (hashes: readonly string[]) => lookUpKeys(database, hashes)
  const soon = gather(load)
  const unhurried = new DataLoader(load, {
    cache: false,
    maxBatchSize: 500,
    batchScheduleFn: run => setTimeout(run, unhurriedMs).unref(),
  })

  async function read(secret: string, look: (hash: string) => Promise<Known>): Promise<Known> {
    const readAt = performance.now()
    const known = await look(hashSecret(secret).toString('hex'))
    // Kept by the secret itself, which every request brings into memory anyway: to hash it for each would cost more.
    const kept = known ? entries : unknown
    kept.set(secret, { known, readAt, refreshing: false })
    if (!known) entries.delete(secret)
    return known
  }

  return {
    find(secret) {
      const entry = entries.get(secret) ?? unknown.get(secret)
      if (!entry && !isWellFormedSecret(secret)) return null
      const ageMs = entry ? performance.now() - entry.readAt : Number.POSITIVE_INFINITY
      if (entry && ageMs > refreshMs && !entry.refreshing) {
        entry.refreshing = true
        // A failed refresh is no fault yet: the entry ends by itself and the next request meets the failure.
        read(secret, hash => unhurried.load(hash)).catch(() => {
          entry.refreshing = false
        })
      }
      const usable = (known: Known) => (known && isUsable(known, new Date(clock.now())) ? known.caller : null)
      return entry && ageMs < trustedMs ? usable(entry.known) : read(secret, soon).then(usable)
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
