import { type ApiKey, Prisma } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import type { Db } from '../db.ts'
import { type FoundId, type PageOfProject, readPagesOfProjects } from '../pages-of-projects.ts'
import type { Project } from '../project.ts'
import { foldCase, foldForSearch, isStorable } from '../text.ts'
import { isUsable } from './api-keys.ts'

export type ApiKeyState = 'active' | 'overlapping' | 'expired' | 'revoked'
export type ApiKeyFilters = {
  search: string | null
  states: readonly ApiKeyState[] | null
  endsBefore: Date | null
}

/** Keys that have no end, or that were never used, come last in both directions. */
export type ApiKeySort =
  | 'newest_first'
  | 'oldest_first'
  | 'by_name'
  | 'by_name_descending'
  | 'by_end'
  | 'by_end_descending'
  | 'by_last_use'
  | 'by_last_use_descending'

/**
 * A key's position in a list. `value` is the value by which the list is sorted. It is null if the list is sorted by
 * age, or if the key has no end or was never used.
 */
export type ApiKeyPlace = { id: string; value: string | Date | null }
export type ApiKeysQuery = PageOfProject<ApiKeyPlace> & ApiKeyFilters & { sort: ApiKeySort }

export function placeOfKey({ id, ...key }: ApiKey, sort: ApiKeySort): ApiKeyPlace {
  const { column } = sorts[sort]
  return { id, value: column && columns[column].valueOf(key) }
}

export const isSortedByTime = (sort: ApiKeySort) =>
  sorts[sort].column === 'end' || sorts[sort].column === 'lastUse'

/** Lists the keys of many projects. `after` is the place of the last key on the previous page. */
export function listApiKeysOfProjects(
  db: Db,
  clock: Clock,
  queries: readonly ApiKeysQuery[],
): Promise<ApiKey[][]> {
  const now = new Date(clock.now())
  return readPagesOfProjects(
    queries,
    (same, isBackward) => {
      const numbered = same.map((query, index) => ({ ...query, n: index + 1 }))
      const bySort = [...Map.groupBy(numbered, ({ sort }) => sort)]
      // Read the pages of all sorts with one statement, because the request is charged for only one statement.
      const pages = bySort.map(([sort, each]) => pagesInSql(each, sort, isBackward, now))
      return db.$queryRaw<FoundId<string>[]>`
        SELECT n, id FROM (${Prisma.join(pages, ' UNION ALL ')}) AS found ORDER BY n, place`
    },
    ids => db.apiKey.findMany({ where: { id: { in: ids } } }),
  )
}

/**
 * Numbers only the keys of a page, because PostgreSQL would sort all keys of the project to number all of them. OFFSET 0
 * keeps PostgreSQL from converting the searched part to lower case again for each key.
 */
function pagesInSql(
  queries: readonly (ApiKeysQuery & { n: number })[],
  sort: ApiKeySort,
  isBackward: boolean,
  now: Date,
): Prisma.Sql {
  const { beyond, order } = orderInSql(sort, isBackward)
  return Prisma.sql`
    SELECT requested.n, found.id, found.place
    FROM (
      SELECT *, ${Prisma.raw(foldForSearch('part'))} AS folded FROM unnest(
        ${queries.map(({ n }) => n)}::bigint[],
        ${queries.map(({ projectId }) => projectId)}::int[],
        ${queries.map(({ after }) => after?.id ?? null)}::uuid[],
        ${queries.map(({ after }) => (typeof after?.value === 'string' ? after.value : null))}::text[],
        ${queries.map(({ after }) => (after?.value instanceof Date ? after.value : null))}::timestamptz[],
        ${queries.map(({ limit, search }) => (isStorable(search ?? '') ? limit : 0))}::int[],
        ${queries.map(({ search }) => (isStorable(search ?? '') ? search : null))}::text[],
        ${queries.map(({ states }) => states?.join(' ') ?? null)}::text[],
        ${queries.map(({ endsBefore }) => endsBefore)}::timestamptz[]
      ) AS given (n, project_id, after, after_text, after_time, most, part, states, ends_before)
      OFFSET 0
    ) AS requested
    CROSS JOIN LATERAL (
      SELECT id, row_number() OVER (ORDER BY ${order}) AS place FROM (
        SELECT * FROM "api_keys"
        WHERE project_id = requested.project_id
          AND (requested.after IS NULL OR ${beyond})
          AND (requested.ends_before IS NULL OR expires_at < requested.ends_before)
          AND (requested.states IS NULL OR ${sqlState(now)} = ANY (string_to_array(requested.states, ' ')))
          AND (requested.part IS NULL OR ${containsPart('name')} OR ${containsPart('prefix')})
        ORDER BY ${order} LIMIT requested.most
      ) AS page
    ) AS found`
}

type Column = 'name' | 'end' | 'lastUse'
const sorts: Record<ApiKeySort, { column: Column | null; descends: boolean }> = {
  newest_first: { column: null, descends: true },
  oldest_first: { column: null, descends: false },
  by_name: { column: 'name', descends: false },
  by_name_descending: { column: 'name', descends: true },
  by_end: { column: 'end', descends: false },
  by_end_descending: { column: 'end', descends: true },
  by_last_use: { column: 'lastUse', descends: false },
  by_last_use_descending: { column: 'lastUse', descends: true },
}

const columns = {
  name: { column: 'name', after: 'requested.after_text', valueOf: ({ name }) => name },
  // A revoked key ended when it was revoked, even if its planned end was later.
  end: {
    column: 'coalesce(revoked_at, expires_at)',
    after: 'requested.after_time',
    valueOf: ({ revokedAt, expiresAt }) => revokedAt ?? expiresAt,
  },
  lastUse: { column: 'last_used_at', after: 'requested.after_time', valueOf: ({ lastUsedAt }) => lastUsedAt },
} satisfies Record<
  Column,
  { column: string; after: string; valueOf(apiKey: Omit<ApiKey, 'id'>): ApiKeyPlace['value'] }
>

/** Returns the condition for the keys beyond `requested.after`, and the ORDER BY. */
function orderInSql(sort: ApiKeySort, isBackward: boolean): { beyond: Prisma.Sql; order: Prisma.Sql } {
  const { column, descends } = sorts[sort]
  const isDescending = descends !== isBackward
  const [sign, direction] = isDescending ? ['<', 'DESC'] : ['>', 'ASC']
  const inOrder = (values: string[]) => Prisma.raw(values.map(value => `${value} ${direction}`).join(', '))
  // Ids are version 7 UUIDs, which ascend with time.
  if (!column)
    return { beyond: Prisma.raw(`id ${sign} requested.after`), order: inOrder(['project_id', 'id']) }
  // Replace a missing time by an infinite one, which comes last. A comparison of rows cannot contain NULL.
  const comparable = (value: string) =>
    column === 'name' ? foldCase(value) : `coalesce(${value}, '${descends ? '-' : ''}infinity')`
  const { column: value, after } = columns[column]
  return {
    beyond: Prisma.raw(`(${comparable(value)}, id) ${sign} (${comparable(after)}, requested.after)`),
    order: inOrder([comparable(value), 'id']),
  }
}

/** Lists the keys of one project, newest first. */
export async function listApiKeys(
  db: Db,
  clock: Clock,
  project: Pick<Project, 'id'>,
  filters: ApiKeyFilters,
  { limit, after }: { limit: number; after: string | null },
): Promise<ApiKey[]> {
  const place = after === null ? null : { id: after, value: null }
  const page = { limit, after: place, isBackward: false, sort: 'newest_first' } as const
  const [keys = []] = await listApiKeysOfProjects(db, clock, [{ projectId: project.id, ...page, ...filters }])
  return keys
}

/**
 * The time of `strpos` hardly depends on the part. ILIKE would convert the part to lower case again for each key, and
 * takes long for a part such as "aaaa…ab".
 */
const containsPart = (column: string) => Prisma.raw(`strpos(${foldForSearch(column)}, requested.folded) > 0`)

/** The rules of `stateOf` in SQL. */
const sqlState = (now: Date) => Prisma.sql`CASE
  WHEN revoked_at IS NOT NULL THEN 'revoked'
  WHEN expires_at <= ${now}::timestamptz THEN 'expired'
  WHEN successor_id IS NOT NULL THEN 'overlapping'
  ELSE 'active' END`

export function stateOf(apiKey: ApiKey, now: Date): ApiKeyState {
  if (apiKey.revokedAt) return 'revoked'
  if (!isUsable(apiKey, now)) return 'expired'
  return apiKey.successorId ? 'overlapping' : 'active'
}
