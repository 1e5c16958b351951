import type { Columns, Statements } from '../../database/statements.ts'
import { leastInt64, mostInt64 } from '../int64.ts'
import type { Project } from '../project.ts'
import { foldForSearch } from '../text.ts'
import { type Pet, type PetStatus, petColumns, petStatuses, readFields, readPet } from './columns.ts'
import { containsPart, lastPlaceOf } from './name-parts.ts'

/** Pets with ids above `lastId` cannot change the page. If `lastId` is null, every new pet may change the page. */
export type PetPage = { pets: Pet[]; nextCursor: string | null; lastId: bigint | null }
export type PageRequest = {
  limit: number
  after: bigint | null
  status: PetStatus | null
  categoryId: bigint | null
  /**
   * Matches a part of the name, case-insensitive. A text of fewer than three characters matches only the beginning of the
   * name.
   */
  name: string | null
  newestFirst: boolean
}

export type RequestedPage = {
  project: Project
  page: PageRequest
  /** The most pets that a search by name examines. Defaults to mostLookedAt. */
  lookAt?: number
}
/**
 * A page of a search by name. `lookedTo` is the last pet examined if the search stopped before the page was full.
 * `bytes` is the length of all names that such a search examined.
 */
export type FoundPage = { pets: Pet[]; lookedTo: bigint | null; bytes: number }

/**
 * The most pets that one statement of a search by name examines in the order of their ids, which is the cheapest way to
 * find common names. 2,500 names of 255 letters take up to 15 ms of PostgreSQL's CPU time, and with four bytes a character
 * up to 65 ms.
 */
export const mostLookedAt = 2_500

export const columns = readFields.map(field => petColumns[field].column).join(', ')
export const texts = readFields.map(field => `${petColumns[field].column}::text`).join(', ')

/** The parts of a request that change the SQL text. PostgreSQL uses an index only if the text names its columns. */
type Shape = Record<'status' | 'category' | 'name' | 'newestFirst', boolean>

export function shapeOf({ status, categoryId, name, newestFirst }: PageRequest): Shape {
  return { status: status !== null, category: categoryId !== null, name: name !== null, newestFirst }
}

export function nameOf(shape: Shape): string {
  const { status, category, name, newestFirst } = shape
  const by = [status && 'status', category && 'category', name && 'name'].filter(Boolean)
  return [
    'list_pets',
    ...(by.length > 0 ? ['by', ...by] : []),
    ...(newestFirst ? ['newest_first'] : []),
  ].join('_')
}

/**
 * Reads pages of one shape in one statement. Each page gets one pet more than requested, if there is one. statements.ts
 * has the measured costs of Prisma.
 */
export async function readPages(
  database: Statements,
  shape: Shape,
  requested: readonly RequestedPage[],
): Promise<FoundPage[]> {
  const rows = await database.run({
    name: nameOf(shape),
    text: pagesOf(shape),
    values: [
      requested.map(({ project }) => project.id),
      requested.map(({ page }) => page.after ?? (shape.newestFirst ? mostInt64 : leastInt64)),
      requested.map(({ page }) => page.limit),
      requested.map(({ page }) => page.status),
      requested.map(({ page }) => page.categoryId),
      requested.map(({ page }) => page.name),
      ...(shape.name
        ? [
            requested.map(({ lookAt = mostLookedAt }) => lookAt),
            requested.map(({ page }) => page.name && lastPlaceOf(page.name)),
          ]
        : []),
    ],
  })
  return rows.map(([pets, lookedTo, bytes]) => ({
    pets: pets ? (JSON.parse(pets) as Columns[]).map(readPet) : [],
    lookedTo: lookedTo ? BigInt(lookedTo) : null,
    bytes: Number(bytes ?? 0),
  }))
}

// Reads one row more than requested, which shows whether another page follows. Returns the pets of a page as one text,
// which costs a third of returning rows.
const pagesOf = (shape: Shape) => `
  WITH requested AS MATERIALIZED (
    SELECT project_id, after, most, status, category_id, ${shape.name ? `${foldForSearch('name')} AS name, look_at, last_place` : 'name'}, n
    FROM unnest($1::int[], $2::bigint[], $3::int[], $4::text[], $5::bigint[], $6::text[]${shape.name ? ', $7::int[], $8::int[]' : ''})
      WITH ORDINALITY AS each (project_id, after, most, status, category_id, name${shape.name ? ', look_at, last_place' : ''}, n)
  )
  SELECT found.pets${shape.name ? ', examined.*' : ''}
  FROM requested
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_array(${texts}))::text AS pets, count(*) FROM (${shape.name ? named(shape) : inOrder(shape, columns, 'requested.most + 1')}) AS page
  ) AS found
  ${shape.name ? `CROSS JOIN LATERAL (${examined(shape)}) AS examined` : ''}
  ORDER BY requested.n`

const named = (shape: Shape) =>
  `SELECT * FROM (${inOrder(shape, columns, 'requested.look_at')}) AS near WHERE ${containsPart('name', 'requested.name', 'requested.last_place')} LIMIT requested.most + 1`

/** Reads nothing if the page is full. */
const examined = (shape: Shape) => `
  SELECT CASE WHEN count(*) = requested.look_at THEN ${shape.newestFirst ? 'min' : 'max'}(id)::text END, sum(octet_length(name))::text
  FROM (${inOrder(shape, 'id, name', 'requested.look_at')}) AS near
  WHERE found.count <= requested.most`

/** Reads the first pets after the cursor, in the order of an index. */
function inOrder(shape: Shape, what: string, most: string): string {
  const [behind, order] = shape.newestFirst ? ['<', 'DESC'] : ['>', 'ASC']
  const all = `SELECT ${what} FROM "pets" WHERE project_id = requested.project_id AND id ${behind} requested.after`
  const last = `ORDER BY id ${order} LIMIT ${most}`
  const ofCategory = `${all} AND category_id = requested.category_id`
  if (shape.status) {
    return `${shape.category ? ofCategory : all} AND status = requested.status::"PetStatus" ${last}`
  }
  if (!shape.category) return `${all} ${last}`
  // The index on a category sorts by status before id. Read the first pets of each status in the order of this index,
  // and then merge the pets of all statuses by id.
  const ofStatuses = petStatuses.map(status => `(${ofCategory} AND status = '${status}' ${last})`)
  const unset = `(${ofCategory} AND status IS NULL ORDER BY status ${order}, id ${order} LIMIT ${most})`
  return `SELECT * FROM (${[...ofStatuses, unset].join(' UNION ALL ')}) AS each ${last}`
}
