import { type ApiKey, Prisma } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import type { Db } from '../db.ts'
import { type FoundId, type PageOfProject, readPagesOfProjects } from '../pages-of-projects.ts'
import type { Project } from '../project.ts'
import { isStorable } from '../text.ts'
import { isUsable } from './api-keys.ts'

export type ApiKeyState = 'active' | 'overlapping' | 'expired' | 'revoked'
export type ApiKeyFilters = {
  search: string | null
  states: readonly ApiKeyState[] | null
  endsBefore: Date | null
}

export type ApiKeysQuery = PageOfProject<string> & ApiKeyFilters

/** Lists the keys of many projects, newest first. `after` is the id of the last key on the previous page. */
export function listApiKeysOfProjects(
  db: Db,
  clock: Clock,
  queries: readonly ApiKeysQuery[],
): Promise<ApiKey[][]> {
  const now = new Date(clock.now())
  return readPagesOfProjects(
    queries,
    (same, isBackward) => {
      // Ids are version 7 UUIDs, which ascend with time.
      const [beyond, order] = isBackward
        ? [Prisma.sql`>`, Prisma.sql`project_id, id`]
        : [Prisma.sql`<`, Prisma.sql`project_id DESC, id DESC`]
      return db.$queryRaw<FoundId<string>[]>`
        SELECT requested.n, found.id
        FROM unnest(
          ${same.map(({ projectId }) => projectId)}::int[],
          ${same.map(({ after }) => after)}::uuid[],
          ${same.map(({ limit, search }) => (isStorable(search ?? '') ? limit : 0))}::int[],
          ${same.map(({ search }) => search && isStorable(search) && patternOf(search))}::text[],
          ${same.map(({ states }) => states?.join(' ') ?? null)}::text[],
          ${same.map(({ endsBefore }) => endsBefore)}::timestamptz[]
        ) WITH ORDINALITY AS requested (project_id, after, most, pattern, states, ends_before, n)
        CROSS JOIN LATERAL (
          SELECT id FROM "api_keys"
          WHERE project_id = requested.project_id
            AND (requested.after IS NULL OR id ${beyond} requested.after)
            AND (requested.ends_before IS NULL OR expires_at < requested.ends_before)
            AND (requested.states IS NULL OR ${sqlState(now)} = ANY (string_to_array(requested.states, ' ')))
            AND (requested.pattern IS NULL OR name ILIKE requested.pattern OR prefix ILIKE requested.pattern)
          ORDER BY ${order} LIMIT requested.most
        ) AS found
        ORDER BY requested.n, found.id ${isBackward ? Prisma.sql`ASC` : Prisma.sql`DESC`}`
    },
    ids => db.apiKey.findMany({ where: { id: { in: ids } } }),
  )
}

/** Lists the keys of one project. */
export async function listApiKeys(
  db: Db,
  clock: Clock,
  project: Pick<Project, 'id'>,
  filters: ApiKeyFilters,
  page: { limit: number; after: string | null },
): Promise<ApiKey[]> {
  const [keys = []] = await listApiKeysOfProjects(db, clock, [
    { projectId: project.id, isBackward: false, ...page, ...filters },
  ])
  return keys
}

/** Builds a LIKE pattern for part of a text. */
const patternOf = (part: string) => `%${part.replace(/[\\%_]/g, '\\$&')}%`

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
