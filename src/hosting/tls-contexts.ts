import { createSecureContext, type SecureContext } from 'node:tls'
import { LRUCache } from 'lru-cache'
import { findCertificates } from '../core/certificates/certificates.ts'
import type { ServedHost } from '../core/domains/served-hosts.ts'
import { batch } from '../database/batch.ts'
import { isDatabaseUnavailable } from '../database/faults.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import type { Logger } from '../tools/log.ts'
import type { Hosts } from './hosts.ts'
import { certificateLabel } from './seal.ts'
import type { ClaimedSeal } from './seal-claim.ts'

export type Contexts = {
  /** Returns null if handshakes for the name must be rejected. */
  find(name: string): Promise<SecureContext | null>
}

/**
 * A context takes 45 KB of native memory, and 1 ms to make. V8 does not count native memory, so an evicted old context
 * would keep its memory until V8 happens to collect the context. So the cache never evicts a context that was used in
 * the last five minutes. While the cache is full of used contexts, a further context serves only one handshake and is
 * freed at once.
 */
const mostContexts = 500
const unusedMs = 5 * 60_000

/**
 * `host` is the object for which the context was opened. A changed host is a new object. `keys` are the fingerprints of
 * SECRETS_KEY, which SIGHUP can change.
 */
type Entry = { host: ServedHost; chain: string; keys: string; context: SecureContext | null }
type Tools = { db: PrismaClient; hosts: Hosts; seal: ClaimedSeal; log: Logger }

/** Reads a host's chain and opens its key at the first handshake, and again when they may have changed. */
export function openContexts({ db, hosts, seal, log }: Tools): Contexts {
  const entries = new LRUCache<string, Entry>({ max: mostContexts, ttl: unusedMs, updateAgeOnGet: true })
  const underWay = new Map<ServedHost, Promise<SecureContext | null>>()
  const readCertificate = batch((names: readonly string[]) => findCertificates(db, names))
  hosts.onChange(name => name !== null && entries.delete(name))
  const keysNow = () => seal.fingerprints().join()
  /**
   * True if the entry need not be read again. A certificate key that did not open may open after SECRETS_KEY has
   * changed.
   */
  const isFinal = ({ context, keys }: Entry) => context !== null || keys === keysNow()

  async function open(host: ServedHost): Promise<SecureContext | null> {
    const { name } = host
    const { chain = null, sealedKey = null } = (await readCertificate(name)) ?? {}
    if (chain === null || sealedKey === null) return null
    const known = entries.get(name)
    const isOpened = known?.chain === chain && isFinal(known)
    const context = isOpened ? known.context : makeContext(name, chain, sealedKey)
    keep(name, { host, chain, keys: keysNow(), context })
    return context
  }

  function keep(name: string, entry: Entry): void {
    if (entries.size === mostContexts) entries.purgeStale()
    if (entries.size < mostContexts || entries.has(name)) entries.set(name, entry)
  }

  function makeContext(name: string, chain: string, sealedKey: Uint8Array): SecureContext | null {
    try {
      const key = seal.open(sealedKey, certificateLabel(name))
      return createSecureContext({ cert: chain, key })
    } catch (error) {
      log.error({ error, name }, 'a certificate cannot be used')
      return null
    }
  }

  function openOnce(host: ServedHost): Promise<SecureContext | null> {
    const opening = underWay.get(host) ?? open(host).finally(() => underWay.delete(host))
    underWay.set(host, opening)
    return opening
  }

  return {
    async find(name) {
      const known = entries.get(name)
      try {
        const host = await hosts.find(name)
        if (!host?.certifiedUntil) return null
        return known?.host === host && isFinal(known) ? known.context : await openOnce(host)
      } catch (error) {
        // While the database is unavailable, go on with the known context: visitors can read the 503 only after a
        // handshake.
        if (known && isDatabaseUnavailable(error)) return known.context
        throw error
      }
    },
  }
}
