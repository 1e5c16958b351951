import type { Statements } from '../../database/statements.ts'
import type { Project } from '../project.ts'
import { type PetStatus, petStatuses } from './columns.ts'

/** How many pets a project has by status; those without one are `unset`. */
export type Inventory = Record<PetStatus | 'unset' | 'total', number>

const kinds = [...petStatuses, 'unset'] as const

/** Reads counts that are kept with every change, however many pets there are. */
export async function readInventory(database: Statements, project: Project): Promise<Inventory> {
  const counts = await countPets(database, project, kinds)
  const inventory = Object.fromEntries(kinds.map(kind => [kind, counts.get(kind) ?? 0]))
  const total = Object.values(inventory).reduce((sum, count) => sum + count, 0)
  return { ...inventory, total } as Inventory
}

/** How many pets of this status and category there are at most; of both together no count is kept. */
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

/** How many pets bear each of these numbers as their category. */
export async function countByCategory(
  database: Statements,
  project: Project,
  categoryIds: readonly bigint[],
): Promise<number[]> {
  const ofCategories = categoryIds.map(id => `category ${id}`)
  const counts = await countPets(database, project, ofCategories)
  return ofCategories.map(kind => counts.get(kind) ?? 0)
}

/** A kind is a status, `unset`, or a category: `category 7`. */
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

/**
 * Adds what has changed to the counts, so that few changes are left to be read with them; a change is always in one of the
 * two. Several processes may try at once, and one of them does it, as much as a statement has time for.
 */
export async function addUpCounts({ run }: Statements): Promise<void> {
  await run({
    name: 'add_up_pet_counts',
    text: `
      WITH turn AS MATERIALIZED (
        SELECT pg_try_advisory_xact_lock(hashtextextended('pet_count_changes', 0)) AS mine
      ), added AS (
        DELETE FROM pet_count_changes WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM pet_count_changes WHERE (SELECT mine FROM turn) LIMIT 50000
        )) RETURNING project_id, what, count
      )
      INSERT INTO pet_counts AS old
      SELECT project_id, what, sum(count) FROM added GROUP BY project_id, what
      ON CONFLICT (project_id, what) DO UPDATE SET count = old.count + excluded.count`,
    values: [],
  })
}
