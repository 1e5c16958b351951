import { LRUCache } from 'lru-cache'
import { maxEntries } from '../../tools/max-entries.ts'
import type { KnownKey } from './lookup.ts'

const mostKeys = 50_000
const mostUnknown = 10_000

/** Caches API keys by the hexadecimal hash, until the log of changes invalidates them. */
export type KeyCache = {
  /** Returns null if there is no such key, and undefined if the cache has no entry. */
  find(hash: string): KnownKey | null | undefined
  keep(hash: string, known: KnownKey | null): void
  forgetKey(hash: string): void
  forgetProject(projectId: number): void
  forgetAll(): void
}

export function openKeyCache(): KeyCache {
  const hashesOf = new Map<number, Set<string>>()
  const issued = new LRUCache<string, KnownKey>({
    ...maxEntries(mostKeys),
    dispose({ caller: { project } }, hash) {
      const hashes = hashesOf.get(project.id)
      hashes?.delete(hash)
      if (hashes?.size === 0) hashesOf.delete(project.id)
    },
  })
  // Unknown keys are cached separately, so that a flood of them evicts no real key.
  const unknown = new LRUCache<string, true>(maxEntries(mostUnknown))

  return {
    find: hash => issued.get(hash) ?? (unknown.has(hash) ? null : undefined),
    keep(hash, known) {
      if (!known) return void unknown.set(hash, true)
      issued.set(hash, known)
      const { id } = known.caller.project
      hashesOf.set(id, (hashesOf.get(id) ?? new Set()).add(hash))
    },
    forgetKey(hash) {
      issued.delete(hash)
      unknown.delete(hash)
    },
    forgetProject(projectId) {
      for (const hash of [...(hashesOf.get(projectId) ?? [])]) issued.delete(hash)
    },
    forgetAll() {
      issued.clear()
      unknown.clear()
    },
  }
}
