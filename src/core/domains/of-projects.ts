import { type Domain, Prisma } from '../../generated/prisma/client.ts'
import type { Db } from '../db.ts'
import { type FoundId, type PageOfProject, readPagesOfProjects } from '../pages-of-projects.ts'

/** Lists pages of the domains of many projects by name. `after` is the last name on the previous page. */
export function listDomainsOfProjects(
  db: Db,
  queries: readonly PageOfProject<string>[],
): Promise<Domain[][]> {
  return readPagesOfProjects(
    queries,
    (same, isBackward) => {
      const [beyond, order] = isBackward
        ? [Prisma.sql`<`, Prisma.sql`name COLLATE "C" DESC`]
        : [Prisma.sql`>`, Prisma.sql`name COLLATE "C"`]
      // Sort by code unit: the database's collation may differ, and cursors depend on the order.
      return db.$queryRaw<FoundId<string>[]>`
        SELECT requested.n, found.id
        FROM unnest(
          ${same.map(({ projectId }) => projectId)}::int[],
          ${same.map(({ after }) => after)}::text[],
          ${same.map(({ limit }) => limit)}::int[]
        ) WITH ORDINALITY AS requested (project_id, after, most, n)
        CROSS JOIN LATERAL (
          SELECT id, name FROM "domains"
          WHERE project_id = requested.project_id
            AND (requested.after IS NULL OR name COLLATE "C" ${beyond} requested.after)
          ORDER BY ${order} LIMIT requested.most
        ) AS found
        ORDER BY requested.n, found.${order}`
    },
    ids => db.domain.findMany({ where: { id: { in: ids } } }),
  )
}

/** Finds domains by project and name. Returns null for each query whose project has no domain with the given name. */
export async function findDomainsNamed(
  db: Db,
  queries: readonly { projectId: number; name: string }[],
): Promise<(Domain | null)[]> {
  const rows = await db.domain.findMany({
    where: {
      projectId: { in: [...new Set(queries.map(({ projectId }) => projectId))] },
      name: { in: [...new Set(queries.map(({ name }) => name))] },
    },
  })
  const found = new Map(rows.map(row => [`${row.projectId} ${row.name}`, row]))
  return queries.map(({ projectId, name }) => found.get(`${projectId} ${name}`) ?? null)
}

export async function findDomainsById(db: Db, ids: readonly string[]): Promise<(Domain | null)[]> {
  const rows = new Map(
    (await db.domain.findMany({ where: { id: { in: [...ids] } } })).map(row => [row.id, row]),
  )
  return ids.map(id => rows.get(id) ?? null)
}

/** Lists the verified names of each of these projects, the one that went live first before the others. */
export async function listVerifiedNames(db: Db, projectIds: readonly number[]): Promise<string[][]> {
  const rows = await db.$queryRaw<{ projectId: number; names: string[] }[]>`
    SELECT project_id AS "projectId", array_agg(name ORDER BY verified_at, id) AS names
    FROM "domains"
    WHERE project_id = ANY (${[...projectIds]}::int[]) AND owned_name IS NOT NULL
    GROUP BY project_id`
  const names = new Map(rows.map(row => [row.projectId, row.names]))
  return projectIds.map(id => names.get(id) ?? [])
}
