import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster, Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'

const ownCharacters = 1_000_000
const longestShared = 16_384
const sharedForSeconds = 30 * 24 * 60 * 60
const timeoutMs = 150

/**
 * Stores the texts of persisted queries: those of this process in memory, and those of all processes in Redis. Clients
 * send a missing text again, so Redis may lose texts.
 */
export function openPersistedQueries(redis: Redis | Cluster | null) {
  const own = new LRUCache<string, string>({
    maxSize: ownCharacters,
    sizeCalculation: text => 200 + text.length,
  })

  return {
    /** The key that Apollo passes is a prefix and the SHA-256 of the text. */
    async get(key: string): Promise<string | undefined> {
      const wanted = hashIn(key)
      if (wanted === null) return undefined
      const text = own.get(wanted) ?? (await findShared(wanted))
      if (text !== undefined) own.set(wanted, text)
      return text
    },
    async set(key: string, text: string): Promise<void> {
      const known = hashIn(key)
      if (known === null) return
      own.set(known, text)
      if (text.length > longestShared) return
      await redis?.set(placeOf(known), text, 'EX', sharedForSeconds).catch(() => {})
    },
    async delete(key: string): Promise<boolean> {
      return own.delete(hashIn(key) ?? '')
    },
  }

  async function findShared(wanted: string): Promise<string | undefined> {
    if (!redis) return undefined
    const reading = redis.get(placeOf(wanted)).catch(() => null)
    const text = await Promise.race([reading, pause(timeoutMs, null, { ref: false })])
    return text !== null && hash('sha256', text) === wanted ? text : undefined
  }
}

const hashIn = (key: string) => /^apq:([0-9a-f]{64})$/.exec(key)?.[1] ?? null

/**
 * Spreads texts over 4,096 Redis keys, so they take at most 64 MB. A newer text replaces an older one with the same
 * key.
 */
const placeOf = (known: string) => `animal-store:persisted-query:${known.slice(0, 3)}`
