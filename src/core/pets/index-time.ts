import { LRUCache } from 'lru-cache'
import { maxEntries } from '../../tools/max-entries.ts'

/** The time in the index that a project gets for each of its searches, in milliseconds. */
const perSearchMs = 60

/**
 * The most time that a project can save, in milliseconds, by searches that take less than `perSearchMs`. With this time,
 * PostgreSQL can finish usual searches even while the machine is busy.
 */
const mostSavedMs = 300

const mostProjects = 10_000

/**
 * Limits the time that the searches of a project take in the index. Usual searches take 4 to 10 ms in a million names.
 * But names and a part can be made so that all names have every trigram of the part, and none has the part. Then a search
 * takes seconds. PostgreSQL can only stop such a statement after a time, because it does not count the names that the
 * index finds by mistake.
 */
export function openIndexTime() {
  const saved = new LRUCache<number, number>(maxEntries(mostProjects))

  return async <Result>(
    projectId: number,
    search: (timeoutMs: number) => Promise<Result>,
  ): Promise<Result> => {
    const timeoutMs = Math.ceil(saved.get(projectId) ?? mostSavedMs)
    const startedAt = performance.now()
    try {
      return await search(timeoutMs)
    } finally {
      const left = Math.max(0, timeoutMs - (performance.now() - startedAt))
      saved.set(projectId, Math.min(mostSavedMs, left + perSearchMs))
    }
  }
}
