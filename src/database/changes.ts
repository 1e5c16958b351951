import { setTimeout as pause } from 'node:timers/promises'
import type { Statements } from './statements.ts'

/** What PostgreSQL counts changes of: see the migration count_changes. */
type Kind = 'pets' | 'keys'
type Seen = Record<Kind, string> & { askedAt: number }

/**
 * Whether what this process remembers of the database still holds. Triggers count every change that nobody announces
 * otherwise; one short statement at a time reads the counts, as long as somebody wants to know.
 */
export type Changes = {
  /** The count as it was at most `trustedMs` ago, and from when; null where it is not that well known. */
  seen(kind: Kind, trustedMs: number): Count | null
  /** Reads the counts as they are now, and waits for that no longer than a moment. */
  look(): Promise<void>
  /** For whoever changed pets and cannot announce it. */
  countPets(): Promise<void>
}
export type Count = { count: string; askedAt: number }

const lookAgainAfterMs = 40
const patienceMs = 25

export function openChanges(database: Statements): Changes {
  let seen: Seen | undefined
  let reading: Promise<void> | undefined
  let soon = Promise.resolve()

  async function read(): Promise<void> {
    const askedAt = performance.now()
    const rows = await database.run(readCounts)
    const counts = new Map(rows.map(([kind, count]) => [kind, count]))
    seen = { pets: counts.get('pets') ?? '0', keys: counts.get('keys') ?? '0', askedAt }
  }
  function look(): Promise<void> {
    if (reading) return soon
    // What cannot be read is not known; whoever wants to know finds out by that.
    reading = read()
      .catch(() => {})
      .finally(() => {
        reading = undefined
      })
    soon = Promise.race([reading, pause(patienceMs, undefined, { ref: false })])
    return soon
  }

  return {
    seen(kind, trustedMs) {
      const now = performance.now()
      if (!seen || now - seen.askedAt > lookAgainAfterMs) look()
      if (!seen || now - seen.askedAt > trustedMs) return null
      return { count: seen[kind], askedAt: seen.askedAt }
    },
    look,
    async countPets() {
      await database.run(countPets)
    },
  }
}

const readCounts = {
  name: 'read_changes',
  text: 'SELECT what, count FROM changes',
  values: [],
  reads: true,
}
const countPets = {
  name: 'count_change_of_pets',
  text: `INSERT INTO changes VALUES ('pets', 1) ON CONFLICT (what) DO UPDATE SET count = changes.count + 1`,
  values: [],
}
