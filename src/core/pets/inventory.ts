import { notInTime, whyUnavailable } from '../../database/faults.ts'
import type { Statements } from '../../database/statements.ts'
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts'
import type { Db } from '../db.ts'
import type { Project } from '../project.ts'
import { type PetStatus, petStatuses } from './columns.ts'

/** Number of pets of a project by status; `unset` counts the pets without a status. */
export type Inventory = Record<PetStatus | 'unset' | 'total', number>

const kinds = [...petStatuses, 'unset'] as const

/** Reads the counts that triggers maintain, so the cost does not depend on the number of pets. */
export async function readInventory(database: Statements, project: Project): Promise<Inventory> {
  const counts = await countPets(database, project, kinds)
  const inventory = Object.fromEntries(kinds.map(kind => [kind, counts.get(kind) ?? 0]))
  const total = Object.values(inventory).reduce((sum, count) => sum + count, 0)
  return { ...inventory, total } as Inventory
}

/** Returns an upper bound, because there is no count for the combination of status and category. */
export async function countAtMost(
  database: Statements,
  project: Project,
  { status, categoryId }: { status: PetStatus | null; categoryId: bigint | null },
): Promise<number> {
  const ofStatus = status === null ? kinds : [status]
  const ofCategory = categoryId === null ? [] : [`category ${categoryId}`]
  const counts = await countPets(database, project, [...ofStatus, ...ofCategory])
  const sum = (kinds: readonly string[]) => kinds.reduce((all, kind) => all + (counts.get(kind) ?? 0), 0)
  return categoryId === null ? sum(ofStatus) : Math.min(sum(ofStatus), sum(ofCategory))
}

/** Returns the number of pets that match the filters; null if there is no count for them. */
export async function countByStatus(
  database: Statements,
  project: Project,
  filters: { status: PetStatus | null; categoryId: bigint | null; name: string | null },
): Promise<number | null> {
  const { status, categoryId, name } = filters
  if (name !== null || (status !== null && categoryId !== null)) return null
  if (categoryId === null) return countAtMost(database, project, filters)
  return (await countByCategory(database, project, [categoryId]))[0] ?? 0
}

/** Returns the number of pets in each of these categories. */
export async function countByCategory(
  database: Statements,
  project: Project,
  categoryIds: readonly bigint[],
): Promise<number[]> {
  const ofCategories = categoryIds.map(id => `category ${id}`)
  const counts = await countPets(database, project, ofCategories)
  return ofCategories.map(kind => counts.get(kind) ?? 0)
}

/**
 * Reads counts by kind: a status, `unset`, or for example `category 7`. Prisma's groupBy on pet_counts alone costs 1.7
 * times the CPU, and Prisma cannot read pet_count_changes, which has no key.
 */
async function countPets(
  { run }: Statements,
  project: Project,
  kinds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await run({
    name: 'count_pets',
    text: `
      SELECT what, sum(count) FROM (
        SELECT what, count FROM pet_counts WHERE project_id = $1::int AND what = ANY ($2::text[])
        UNION ALL
        SELECT what, count FROM pet_count_changes WHERE project_id = $1::int AND what = ANY ($2::text[])
      ) AS counted GROUP BY what`,
    values: [project.id, kinds],
  })
  return new Map(rows.map(([what, count]) => [String(what), Number(count)]))
}

/** Slugs of projects. `unchecked` are those with too many pets to count before the statement times out. */
type CheckedCounts = { corrected: string[]; unchecked: string[] }

/**
 * Compares each project's counts with its pets and corrects them, because a restore may have bypassed the triggers.
 * Reads all pets once. Changes of pets wait only while the counts of their project are corrected.
 */
export async function correctCounts(db: PrismaClient, signal: AbortSignal): Promise<CheckedCounts> {
  const corrected: string[] = []
  const unchecked: string[] = []
  for (const { id, slug } of await db.project.findMany({ select: { id: true, slug: true } })) {
    if (signal.aborted) break
    try {
      if (await correctProject(db, id)) corrected.push(slug)
    } catch (error) {
      if (!(error instanceof TooManyPets)) throw error
      // The count timed out. If the cause was not the number of pets, but a hanging database or a locked table, this
      // query throws.
      await db.pet.findFirst({ where: { projectId: id }, select: { id: true } })
      unchecked.push(slug)
    }
  }
  return { corrected, unchecked }
}

class TooManyPets extends Error {}

/** In milliseconds, for the whole transaction. Each statement has its own timeout. */
const timeout = 30_000

/** Returns true if the counts were wrong. */
async function correctProject(db: PrismaClient, id: number): Promise<boolean> {
  if (await areCounted(db, id)) return false
  return db.$transaction(
    async tx => {
      // The first lock keeps `addUpCounts` in other processes from moving rows between the two tables of counts. The
      // second lock keeps all other transactions from changing pets. The transaction holds the two locks until all pets
      // are counted.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('pet_count_changes', 0))`
      await tx.$executeRaw`LOCK TABLE pets IN SHARE ROW EXCLUSIVE MODE`
      if (await areCounted(tx, id)) return false
      await tx.$executeRaw`DELETE FROM pet_count_changes WHERE project_id = ${id}`
      await tx.$executeRaw`DELETE FROM pet_counts WHERE project_id = ${id}`
      await counted(tx.$executeRaw`INSERT INTO pet_counts (project_id, what, count)
        SELECT ${id}::int, counted.what, counted.count FROM (${petsByKind(id)}) AS counted`)
      return true
    },
    { timeout },
  )
}

/** Waits for a statement that counts the pets of a project. Throws `TooManyPets` if the statement times out. */
const counted = <Result>(statement: Promise<Result>): Promise<Result> =>
  statement.catch(error => {
    throw whyUnavailable(error)?.reason === notInTime ? new TooManyPets() : error
  })

const petsByKind = (projectId: number) => Prisma.sql`
  SELECT coalesce(status::text, 'unset') AS what, count(*) AS count FROM pets WHERE project_id = ${projectId} GROUP BY status
  UNION ALL
  SELECT 'category ' || category_id, count(*) FROM pets WHERE project_id = ${projectId} GROUP BY category_id`

async function areCounted(db: Db, projectId: number): Promise<boolean> {
  const [row] = await counted(db.$queryRaw<[{ differ: boolean }]>`
    SELECT EXISTS (
      SELECT 1 FROM (${petsByKind(projectId)}) AS counted
      FULL JOIN (
        SELECT what, sum(count) AS count FROM (
          SELECT what, count FROM pet_counts WHERE project_id = ${projectId}
          UNION ALL
          SELECT what, count FROM pet_count_changes WHERE project_id = ${projectId}
        ) AS stored GROUP BY what
      ) AS known USING (what)
      WHERE coalesce(counted.count, 0) <> coalesce(known.count, 0)
    ) AS differ`)
  return !row.differ
}

/**
 * Adds the rows of `pet_count_changes` to the counts in `pet_counts` and deletes these rows, so that a later read adds
 * up only a few rows. A single statement adds and deletes, so each change of a count is always in exactly one of the
 * two tables. A lock admits one process at a time, and each statement moves a limited number of rows. The number is high,
 * because each statement also reads the deleted rows that PostgreSQL still keeps, for example during a backup.
 *
 * Then deletes the counts of categories that have become empty, because a project may use any number of categories.
 */
export async function addUpCounts({ run }: Statements): Promise<void> {
  const empty = await run({
    name: 'add_up_pet_counts',
    text: `
      WITH turn AS MATERIALIZED (
        SELECT pg_try_advisory_xact_lock(hashtextextended('pet_count_changes', 0)) AS mine
      ), added AS (
        DELETE FROM pet_count_changes WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM pet_count_changes WHERE (SELECT mine FROM turn) LIMIT 50000
        )) RETURNING project_id, what, count
      ), counted AS (
        INSERT INTO pet_counts AS old
        SELECT project_id, what, sum(count) FROM added GROUP BY project_id, what
        ON CONFLICT (project_id, what) DO UPDATE SET count = old.count + excluded.count
        RETURNING project_id, what, count
      )
      SELECT project_id, what FROM counted WHERE count = 0 AND what LIKE 'category %'`,
    values: [],
  })
  if (empty.length === 0) return
  await run({
    name: 'delete_empty_pet_counts',
    text: `
      DELETE FROM pet_counts USING unnest($1::int[], $2::text[]) AS empty (project_id, what)
      WHERE pet_counts.project_id = empty.project_id AND pet_counts.what = empty.what AND pet_counts.count = 0`,
    values: [empty.map(([projectId]) => String(projectId)), empty.map(([, what]) => String(what))],
  })
}
