import { domainToASCII } from 'node:url'
import { type Domain, Prisma } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { type CertificateState, shownCertificateState } from '../certificates/certificates.ts'
import type { Db } from '../db.ts'
import { type ServedState, servedState } from '../hosts/served-state.ts'
import { type Project, toProject } from '../project.ts'
import { isStorable } from '../text.ts'

export type DomainFilters = {
  /** Null: search the domains of all projects. */
  projectId: number | null
  host: ServedState | null
  certificate: CertificateState | null
  /** A part of the name, case-insensitive. */
  name: string | null
}
/**
 * Sorted by name, then by id, because several projects may claim one name. `after` is the last domain of the previous
 * page.
 */
export type DomainPage = { limit: number; after: { name: string; id: string } | null; isBackward?: boolean }

/**
 * Finds domains of all projects by filters, each with its project. SQL finds the ids, because Prisma cannot filter by a
 * computed state.
 */
export async function findDomains(
  db: Db,
  clock: Clock,
  { projectId, host, certificate, name }: DomainFilters,
  { limit, after, isBackward }: DomainPage,
): Promise<{ found: { domain: Domain; project: Project }[]; hasMore: boolean }> {
  const part = name === null ? null : spellPart(name)
  if (part !== null && !isStorable(part)) return { found: [], hasMore: false }
  const now = new Date(clock.now())
  const [beyond, order] = isBackward
    ? [Prisma.sql`<`, Prisma.sql`d.name DESC, d.id DESC`]
    : [Prisma.sql`>`, Prisma.sql`d.name, d.id`]
  const rest = after
    ? Prisma.sql`(d.name, d.id) ${beyond} (${after.name}, ${after.id}::uuid)`
    : Prisma.sql`true`
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT d.id FROM "domains" d
    JOIN "projects" p ON p.id = d.project_id
    LEFT JOIN "certificates" c ON c.name = d.owned_name
    WHERE ${rest}
      AND (${projectId}::int IS NULL OR d.project_id = ${projectId})
      AND (${part}::text IS NULL OR position(${part} IN d.name) > 0)
      AND (${host}::text IS NULL OR ${servedState(now)} = ${host})
      AND (${certificate}::text IS NULL OR ${shownCertificateState(now)} = ${certificate})
    ORDER BY ${order}
    LIMIT ${limit + 1}`
  const ids = rows.slice(0, limit).map(({ id }) => id)
  if (isBackward) ids.reverse()
  const stored = await db.domain.findMany({
    where: { id: { in: ids } },
    include: { project: { include: { plan: true } } },
  })
  const byId = new Map(stored.map(row => [row.id, row]))
  const found = ids
    .flatMap(id => byId.get(id) ?? [])
    .map(({ project, ...domain }) => ({ domain, project: toProject(project) }))
  return { found, hasMore: rows.length > limit }
}

/** Converts a part of a name to the stored spelling. Only whole labels can be converted to Punycode. */
function spellPart(part: string): string {
  const trimmed = part.trim().toLowerCase()
  return /^[\x20-\x7e]*$/.test(trimmed) ? trimmed : domainToASCII(trimmed) || trimmed
}
