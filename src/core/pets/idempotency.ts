import { hash } from 'node:crypto'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import type { Db } from '../db.ts'
import { invalidInput, StoreError } from '../errors.ts'
import type { Project } from '../project.ts'

export const retentionMs = 24 * 60 * 60 * 1000

const { sql } = Prisma

/** SQL that tries to take the key's advisory lock until the transaction ends; true if the transaction has the lock. */
export const tryKeyLock = (project: Project, key: string) =>
  sql`pg_try_advisory_xact_lock(hashtextextended(${`${project.id}:${key}`}::text, 0))`

/** Name, category and status are always hashed, because stored hashes include them. */
const leastHashed = 3

/**
 * Hashes the texts of a new pet's fields. Ignores absent fields at the end, so that after an upgrade that adds a field,
 * a repeated request still has the same hash.
 */
export function hashOfPet(texts: readonly (string | null)[]): Uint8Array<ArrayBuffer> {
  const end = texts.findLastIndex(text => text !== null) + 1
  return hashOf(texts.slice(0, Math.max(leastHashed, end)))
}

export function hashOf(values: readonly (string | null)[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', JSON.stringify(values), 'buffer'))
}

/** Parses the key: a quoted string as in the IETF draft, or an unquoted one, which many clients send. */
export function parseIdempotencyKey(field: string, value: string): string {
  const key = /^"(.*)"$/.exec(value)?.[1] ?? value
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw invalidInput([{ field, message: 'must be 1 to 255 printable ASCII characters' }])
}

/**
 * The most rows that one statement deletes. On the embedded database, which has one connection, requests wait for this
 * statement.
 */
export const mostForgotten = 10_000

/**
 * Deletes the oldest expired claims and returns how many. Skips rows that are locked by requests about to use an old
 * key again, because waiting for several of these locks could deadlock.
 */
export function forgetOldCreations(db: Db, clock: Clock): Promise<number> {
  return db.$executeRaw`
    DELETE FROM idempotent_creations WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM idempotent_creations WHERE expires_at <= ${new Date(clock.now())}::timestamptz
      ORDER BY expires_at LIMIT ${mostForgotten}::int FOR UPDATE SKIP LOCKED
    ))`
}

export const mismatch = (what: 'pet' | 'order' | 'import') =>
  new StoreError(
    'idempotency_mismatch',
    `This Idempotency-Key was used for something else; use a new key for a new ${what}.`,
  )

export const inFlight = () =>
  new StoreError(
    'idempotency_in_flight',
    'A request with this Idempotency-Key is still running; repeat it in a moment.',
    { retryAfterSeconds: 1 },
  )
