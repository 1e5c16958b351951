import type { Database } from '../../database/database.ts'
import { runPiece } from '../../database/pieces.ts'
import { openShares } from '../../database/shares.ts'
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts'
import type { Limiter } from '../../limiter/limiter.ts'
import type { Clock } from '../../tools/clock.ts'
import type { Db } from '../db.ts'
import { StoreError } from '../errors.ts'
import type { LongWork } from '../long-work.ts'
import type { Project } from '../project.ts'
import { priceOf } from '../projects/limits.ts'
import { newPetFields, petColumns } from './columns.ts'
import { inFlight, mismatch, retentionMs, tryKeyLock } from './idempotency.ts'
import type { ValidatedPets } from './import-draft.ts'
import { invalidatePages } from './invalidate-pages.ts'

type Tools = {
  db: PrismaClient
  database: Pick<Database, 'pool'>
  clock: Clock
  limiter: Pick<Limiter, 'renewVersion'>
  longWork: Pick<LongWork, 'inOneProcess'>
}

/** The ids ascend in the order of the lines, perhaps with gaps where other requests added pets. */
export type Imported = { imported: number; firstId: bigint | null; lastId: bigint | null }
export type ImportOutcome = { imported: Imported; isReplayed: boolean }

/** `isReplay`: the key was used before when the price was computed, so the import has not been paid for. */
export type ImportPets = (
  project: Project,
  pets: ValidatedPets,
  idempotencyKey: string | null,
  isReplay: boolean,
) => Promise<ImportOutcome>

const petsOfARequest = 100
/**
 * Reading this many bytes of usual pets takes no longer than answering the most expensive list request. The slowest
 * bytes, such as many numbers with a fraction, take about five times as long. Usual pets are so small that the cost of an
 * import depends on the number of pets instead.
 */
const bytesOfARequest = 128 * 1024
/**
 * The most concurrent imports, one per project. The pool keeps most connections for other requests; the embedded
 * database has only one connection.
 */
const mostAtOnce = { pool: 2, embedded: 1 }
/** In milliseconds, for the whole transaction. Each statement has its own timeout. */
const timeout = 30_000

export const priceOfImport = (project: Project, pets: number) => priceOf(project, pets / petsOfARequest)

/** Returns the cost of reading an import. A refused import and a replay pay this cost too. */
export const priceOfReading = (project: Project, bytes: number) => priceOf(project, bytes / bytesOfARequest)

/**
 * Returns the price of an import. If its idempotency key was used before, the import is a replay: nothing is added, and
 * only reading the body is charged.
 */
export async function priceUnderKey(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  project: Project,
  { pets, bytes }: { pets: number; bytes: number },
  key: string | null,
): Promise<{ price: number; isReplay: boolean }> {
  const isReplay = key !== null && (await findKey(db, clock, project, key)) !== null
  const reading = priceOfReading(project, bytes)
  return { price: isReplay ? reading : Math.max(reading, priceOfImport(project, pets)), isReplay }
}

/**
 * Adds all pets of an import or none, once for each idempotency key. As soon as the returned promise resolves, no
 * process shows an older page.
 */
export function openImport({ db, database, clock, limiter, longWork }: Tools): ImportPets {
  const inTurn = openShares(database.pool ? mostAtOnce.pool : mostAtOnce.embedded, 1)
  // The transaction keeps its connection during a pause. The embedded database has only one connection, so a pause would
  // delay all other requests.
  const inPieces: typeof runPiece = database.pool ? runPiece : (_, run) => run()

  return async (project, pets, key, isReplay) => {
    const add = () =>
      db.$transaction(
        async tx => {
          const before = key === null ? null : await findEarlierImport(tx, clock, project, pets, key)
          if (before) return { imported: before, isReplayed: true }
          if (isReplay) throw keyExpired()
          const imported = await addAll(tx, project, pets, inPieces)
          if (key !== null) await keep(tx, clock, project, pets, key, imported)
          return { imported, isReplayed: false }
        },
        { timeout },
      )
    const outcome = await longWork.inOneProcess('imports', project, () => inTurn(project.id, add))
    await invalidatePages(limiter, project)
    return outcome
  }
}

/** If the key expires between the price and the import, the repeated request gets the price of a new import. */
const keyExpired = () =>
  new StoreError(
    'idempotency_in_flight',
    'The Idempotency-Key has expired during this request; repeat the request to import the pets again.',
    { retryAfterSeconds: 1 },
  )

const { raw, sql } = Prisma
const columns = raw(newPetFields.map(field => petColumns[field].column).join(', '))
const values = raw(newPetFields.map(field => `(pet ->> '${field}')::${petColumns[field].type}`).join(', '))

/** Prisma's createManyAndReturn costs 2.2 times the CPU for 10 pets, and 5 times for 1,000 and 10,000. */
async function addAll(
  tx: Db,
  project: Project,
  { pieces, count }: ValidatedPets,
  inPieces: typeof runPiece,
): Promise<Imported> {
  let [firstId, lastId]: (bigint | null)[] = [null, null]
  for (const piece of pieces) {
    const [ids] = await inPieces(project.id, () =>
      tx.$queryRaw<{ first: bigint; last: bigint }[]>(sql`
      WITH read AS MATERIALIZED (
        SELECT nextval(pg_get_serial_sequence('pets', 'id')) AS id, pet
        FROM jsonb_array_elements(${piece}::jsonb) WITH ORDINALITY AS each (pet, n)
      ), added AS (
        INSERT INTO "pets" (id, project_id, ${columns}) SELECT id, ${project.id}::int, ${values} FROM read ORDER BY id
        RETURNING id
      )
      SELECT min(id) AS first, max(id) AS last FROM added`),
    )
    firstId ??= ids?.first ?? null
    lastId = ids?.last ?? lastId
  }
  return { imported: count, firstId: firstId ?? null, lastId: lastId ?? null }
}

/** Returns the answer stored under this key. The transaction holds the key's lock, so no other request uses the key. */
async function findEarlierImport(
  tx: Db,
  clock: Clock,
  project: Project,
  pets: ValidatedPets,
  key: string,
): Promise<Imported | null> {
  const [turn] = await tx.$queryRaw<{ mine: boolean }[]>(sql`SELECT ${tryKeyLock(project, key)} AS mine`)
  if (!turn?.mine) throw inFlight()
  const stored = await findKey(tx, clock, project, key)
  if (!stored) return null
  const { inputHash, importedPets, petId, lastPetId } = stored
  if (Buffer.compare(inputHash, pets.hash) !== 0 || importedPets === null) throw mismatch('import')
  return { imported: importedPets, firstId: petId, lastId: lastPetId }
}

async function findKey(db: Db, clock: Clock, { id: projectId }: Project, key: string) {
  const found = await db.idempotentCreation.findUnique({ where: { projectId_key: { projectId, key } } })
  return found && found.expiresAt.getTime() > clock.now() ? found : null
}

async function keep(
  tx: Db,
  clock: Clock,
  { id: projectId }: Project,
  { hash: inputHash }: ValidatedPets,
  key: string,
  { imported: importedPets, firstId: petId, lastId: lastPetId }: Imported,
): Promise<void> {
  const expiresAt = new Date(clock.now() + retentionMs)
  const answer = { inputHash, importedPets, petId, lastPetId, orderId: null, expiresAt }
  await tx.idempotentCreation.upsert({
    where: { projectId_key: { projectId, key } },
    create: { projectId, key, ...answer },
    update: answer,
  })
}
