import { hash } from 'node:crypto'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import type { Db } from '../db.ts'
import { invalidInput, StoreError } from '../errors.ts'
import type { Project } from '../project.ts'
import { type NewPet, newPetFields, type Pet, petColumns, petWith, readFields, textOf } from './columns.ts'

export const keptMs = 24 * 60 * 60 * 1000

/** The pet, and whether an earlier request with the same idempotency key added it. */
export type AddedPet = { pet: Pet; isReplayed: boolean }

type Turn = { mine: boolean; keptHash: Uint8Array | null; keptPet: bigint | null } & (
  | Pet
  | { [Field in keyof Pet]: null }
)

const { raw, join, sql } = Prisma
const newColumns = raw(newPetFields.map(field => petColumns[field].column).join(', '))
const columns = raw(readFields.map(field => `${petColumns[field].column} AS "${field}"`).join(', '))

/**
 * Creates the pet once for each idempotency key. One statement writes the claim of the key and the pet, so neither
 * exists alone. A Prisma transaction with two creates costs 2.3 to 2.5 times the CPU.
 */
export async function createPetOnce(
  db: Db,
  clock: Clock,
  project: Project,
  key: string,
  input: NewPet,
): Promise<AddedPet> {
  const inputHash = hashOfPet(newPetFields.map(field => textOf(input[field])))
  const now = new Date(clock.now())
  const expiresAt = new Date(clock.now() + keptMs)

  // A statement cannot see a claim that was committed after it began, but the unique key stops it. A second statement
  // sees the claim. The claim is found by key and its age is checked afterwards, because the index on the age would be
  // slower.
  for (let attempt = 1; attempt <= 2; attempt++) {
    const [turn] = await db.$queryRaw<Turn[]>`
      WITH turn AS MATERIALIZED (
        SELECT ${takeTurn(project, key)} AS mine
      ), kept AS MATERIALIZED (
        SELECT input_hash, pet_id FROM (
          SELECT input_hash, pet_id, expires_at FROM idempotent_creations
          WHERE project_id = ${project.id}::int AND key = ${key}::text LIMIT 1
        ) AS found WHERE expires_at > ${now}::timestamptz
      ), claim AS (
        INSERT INTO idempotent_creations AS old (project_id, key, input_hash, pet_id, expires_at)
        SELECT ${project.id}::int, ${key}::text, ${inputHash}::bytea,
          nextval(pg_get_serial_sequence('pets', 'id')), ${expiresAt}::timestamptz
        FROM turn WHERE mine AND NOT EXISTS (SELECT FROM kept)
        ON CONFLICT (project_id, key) DO UPDATE
        SET input_hash = excluded.input_hash, pet_id = excluded.pet_id, order_id = NULL, imported_pets = NULL,
          last_pet_id = NULL, expires_at = excluded.expires_at
        WHERE old.expires_at <= ${now}::timestamptz
        RETURNING pet_id
      ), pet AS (
        INSERT INTO pets (id, project_id, ${newColumns}) SELECT pet_id, ${project.id}::int, ${valuesOf(input)}
        FROM claim RETURNING ${columns}
      )
      SELECT turn.mine, kept.input_hash AS "keptHash", kept.pet_id AS "keptPet", pet.*
      FROM turn LEFT JOIN kept ON true LEFT JOIN pet ON true`
    if (turn && turn.id !== null) {
      const { mine, keptHash, keptPet, ...pet } = turn
      return { pet, isReplayed: false }
    }
    if (turn?.keptHash) {
      if (Buffer.compare(turn.keptHash, inputHash) !== 0 || turn.keptPet === null) throw mismatch('pet')
      // The first request with this input got this pet, so return it, even if it has changed since.
      return { pet: petWith(turn.keptPet, input), isReplayed: true }
    }
    if (!turn?.mine) break
  }
  throw inFlight()
}

/** True if we hold the key's advisory lock, which lasts until the transaction ends. */
export const takeTurn = (project: Project, key: string) =>
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

const valuesOf = (input: NewPet) =>
  join(newPetFields.map(field => sql`${input[field] ?? null}::${raw(petColumns[field].type)}`))

/** Parses the key: a quoted string as in the IETF draft, or a bare one, which many clients send. */
export function parseIdempotencyKey(field: string, value: string): string {
  const key = /^"(.*)"$/.exec(value)?.[1] ?? value
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw invalidInput([{ field, message: 'must be 1 to 255 printable ASCII characters' }])
}

/**
 * Deletes old claims. Skips rows that are locked by a request about to use an old key again; waiting for several could
 * deadlock.
 */
export async function forgetOldCreations(db: Db, clock: Clock): Promise<void> {
  await db.$executeRaw`
    DELETE FROM idempotent_creations WHERE (project_id, key) IN (
      SELECT project_id, key FROM idempotent_creations WHERE expires_at <= ${new Date(clock.now())}::timestamptz
      FOR UPDATE SKIP LOCKED
    )`
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
