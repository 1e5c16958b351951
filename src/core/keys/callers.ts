import { batch } from '../../database/batch.ts'
import type { Changes } from '../../database/changes.ts'
import type { Statements } from '../../database/statements.ts'
import type { Clock } from '../../tools/clock.ts'
import { hashInHex, isSecretOf, isWellFormedSecret } from '../secrets.ts'
import { lookUpAccessTokens } from './access-tokens.ts'
import { isUsable } from './api-keys.ts'
import { openKeyCache } from './cache.ts'
import type { Caller } from './caller.ts'
import { type KnownKey, lookUpKeys } from './lookup.ts'

/**
 * Finds the caller to whom a secret belongs. The secret is an API key or a person's access token. If the cache is up to
 * date and holds the caller, `find` returns the caller at once, without a promise.
 */
export type Callers = { find(secret: string): Promise<Caller | null> | Caller | null }

/**
 * Cached callers are used only if the last successful read of the log of changes began at most this many milliseconds
 * ago. The time is less than a second, because a revocation, plan change or suspension must take effect in every
 * process within a second, even if the log cannot be read.
 */
const trustedMs = 900

/** Caches callers until the log of changes names their key or project. */
export function openCallers(database: Statements, changes: Changes, clock: Clock): Callers {
  const cache = openKeyCache()
  const lookUpKey = batch((hashes: readonly string[]) => lookUpKeys(database, hashes))
  const lookUpToken = batch((hashes: readonly string[]) => lookUpAccessTokens(database, hashes))
  let changesReceived = 0

  changes.follow(change => {
    if (change !== null && change.what !== 'keys' && change.what !== 'project') return
    changesReceived++
    if (change?.what === 'keys' && change.name !== null) cache.forgetKey(change.name)
    else if (change?.what === 'project' && change.projectId !== null) cache.forgetProject(change.projectId)
    else cache.forgetAll()
  })

  async function read(hash: string, lookUp: typeof lookUpKey): Promise<KnownKey | null> {
    const receivedBefore = changesReceived
    const known = await lookUp(hash)
    if (changesReceived === receivedBefore) cache.keep(hash, known)
    return known
  }

  function usable(known: KnownKey | null): Caller | null {
    return known && isUsable(known, new Date(clock.now())) ? known.caller : null
  }

  return {
    find(secret) {
      const hash = hashInHex(secret)
      const known = changes.isTrusted(trustedMs) ? cache.find(hash) : undefined
      if (known !== undefined) return usable(known)
      if (isWellFormedSecret(secret)) return read(hash, lookUpKey).then(usable)
      return isSecretOf('access', secret) ? read(hash, lookUpToken).then(usable) : null
    },
  }
}
