import { Prisma } from '../../generated/prisma/client.ts'
import type { Limiter } from '../../limiter/limiter.ts'
import type { Clock } from '../../tools/clock.ts'
import type { Db } from '../db.ts'
import type { Project } from '../project.ts'
import { type NewPet, newPetFields, type Pet, petColumns, petWith, readFields, textOf } from './columns.ts'
import { hashOfPet, inFlight, mismatch, retentionMs, tryKeyLock } from './idempotency.ts'
import { invalidatePages } from './invalidate-pages.ts'
import type { Pets } from './pets.ts'

type Tools = { pets: Pets; db: Db; clock: Clock; limiter: Pick<Limiter, 'renewVersion'> }

/** The pet, and whether an earlier request with the same idempotency key added it. */
export type AddedPet = { pet: Pet; isReplayed: boolean }

/**
 * Adds a pet, once for each idempotency key. As soon as the returned promise resolves, no process shows a page of pets
 * from before the pet was added.
 */
export async function createPet(
  { pets, db, clock, limiter }: Tools,
  project: Project,
  input: NewPet,
  idempotencyKey: string | null,
): Promise<AddedPet> {
  const added =
    idempotencyKey === null
      ? { pet: await pets.createPet(project, input), isReplayed: false }
      : await shareCreation(db, clock, project, idempotencyKey, input)
  await invalidatePages(limiter, project)
  return added
}

const creations = new WeakMap<Db, Map<string, Promise<AddedPet>>>()

/**
 * Creates the pet once. While this process is creating it, repeated requests wait for the result and share it, because
 * each of them would otherwise hold a connection to the database.
 */
async function shareCreation(
  db: Db,
  clock: Clock,
  project: Project,
  key: string,
  input: NewPet,
): Promise<AddedPet> {
  const underWay = creations.get(db) ?? new Map<string, Promise<AddedPet>>()
  creations.set(db, underWay)
  const inputHash = hashOfPet(newPetFields.map(field => textOf(input[field])))
  const name = `${project.id} ${Buffer.from(inputHash).toString('base64')} ${key}`
  const first = underWay.get(name)
  if (first) return { pet: petWith((await first).pet.id, input), isReplayed: true }
  const added = createOnce(db, clock, project, key, input, inputHash).finally(() => underWay.delete(name))
  underWay.set(name, added)
  return added
}

type Turn = { mine: boolean; storedHash: Uint8Array | null; storedPet: bigint | null } & (
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
async function createOnce(
  db: Db,
  clock: Clock,
  project: Project,
  key: string,
  input: NewPet,
  inputHash: Uint8Array<ArrayBuffer>,
): Promise<AddedPet> {
  const now = new Date(clock.now())
  const expiresAt = new Date(clock.now() + retentionMs)

  // The first statement cannot see a claim that another request committed after the statement began. The unique key of
  // the table prevents a second claim, and a second statement sees the claim of the other request. Each statement finds
  // the claim by its key and checks the claim's age afterwards, because a search by the index on the age would be
  // slower.
  for (let attempt = 1; attempt <= 2; attempt++) {
    const [turn] = await db.$queryRaw<Turn[]>`
      WITH turn AS MATERIALIZED (
        SELECT ${tryKeyLock(project, key)} AS mine
      ), stored AS MATERIALIZED (
        SELECT input_hash, pet_id FROM (
          SELECT input_hash, pet_id, expires_at FROM idempotent_creations
          WHERE project_id = ${project.id}::int AND key = ${key}::text LIMIT 1
        ) AS found WHERE expires_at > ${now}::timestamptz
      ), claim AS (
        INSERT INTO idempotent_creations AS old (project_id, key, input_hash, pet_id, expires_at)
        SELECT ${project.id}::int, ${key}::text, ${inputHash}::bytea,
          nextval(pg_get_serial_sequence('pets', 'id')), ${expiresAt}::timestamptz
        FROM turn WHERE mine AND NOT EXISTS (SELECT FROM stored)
        ON CONFLICT (project_id, key) DO UPDATE
        SET input_hash = excluded.input_hash, pet_id = excluded.pet_id, order_id = NULL, imported_pets = NULL,
          last_pet_id = NULL, expires_at = excluded.expires_at
        WHERE old.expires_at <= ${now}::timestamptz
        RETURNING pet_id
      ), pet AS (
        INSERT INTO pets (id, project_id, ${newColumns}) SELECT pet_id, ${project.id}::int, ${valuesOf(input)}
        FROM claim RETURNING ${columns}
      )
      SELECT turn.mine, stored.input_hash AS "storedHash", stored.pet_id AS "storedPet", pet.*
      FROM turn LEFT JOIN stored ON true LEFT JOIN pet ON true`
    if (turn && turn.id !== null) {
      const { mine, storedHash, storedPet, ...pet } = turn
      return { pet, isReplayed: false }
    }
    if (turn?.storedHash) {
      if (Buffer.compare(turn.storedHash, inputHash) !== 0 || turn.storedPet === null) throw mismatch('pet')
      // Return the pet as the first request with this key created it, even if the pet has changed since.
      return { pet: petWith(turn.storedPet, input), isReplayed: true }
    }
    if (!turn?.mine) break
  }
  throw inFlight()
}

const valuesOf = (input: NewPet) =>
  join(newPetFields.map(field => sql`${input[field] ?? null}::${raw(petColumns[field].type)}`))
