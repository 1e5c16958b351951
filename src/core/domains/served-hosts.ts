import type { Db } from '../db.ts'
import type { DeployConfiguration } from '../deploys/configuration.ts'
import { platformHostOf } from '../hosts/platform-host.ts'
import { includesDomains } from '../projects/plans.ts'

/** A host that is served, for whom, and how. */
export type ServedHost = {
  name: string
  projectId: number
  /** Where visitors are sent instead, if the same project is served there too. */
  redirect: { to: string; status: number } | null
  /** The status of its redirects from http to https. */
  httpsRedirectStatus: number
  page: { title: string; description: string | null; primary: string }
  /** The plan has no domains any more; the host is served until then. */
  servedUntil: Date | null
  /** Visitors are told so, and shown nothing else. */
  isSuspended: boolean
  /** Until when there is a certificate that can be used; null where there is none. */
  certifiedUntil: Date | null
}

/** Whose a name is; `host` is null while its project has nothing in service. */
export type OwnedName = { projectId: number; host: ServedHost | null }

/** What there is to know of these names, all in one statement; null for each that belongs to nobody. */
export async function lookUpHosts(
  db: Db,
  platformHost: string,
  names: readonly string[],
): Promise<(OwnedName | null)[]> {
  const slugs = names.map(name => slugOf(name, platformHost))
  const rows = await db.$queryRaw<Row[]>`
    SELECT asked.name AS host, p.id, p.slug, p.name, p.plan, p.domains_grace_ends_at, p.suspended_at, current.configuration,
      verified.names AS verified_names,
      (SELECT not_after FROM "certificates" c
        WHERE c.name = asked.name AND c.chain IS NOT NULL AND c.unreadable_since IS NULL) AS certified_until
    FROM unnest(${names}::text[], ${slugs}::text[]) AS asked (name, slug)
    CROSS JOIN LATERAL (
      SELECT project_id AS id FROM "domains" WHERE owned_name = asked.name
      UNION ALL SELECT id FROM "projects" WHERE slug = asked.slug
      LIMIT 1
    ) AS owner
    JOIN "projects" p ON p.id = owner.id
    LEFT JOIN LATERAL (
      SELECT configuration FROM "deploys" WHERE project_id = p.id AND succeeded ORDER BY id DESC LIMIT 1
    ) AS current ON true
    CROSS JOIN LATERAL (
      SELECT array_agg(owned_name ORDER BY verified_at, id) AS names FROM "domains"
      WHERE project_id = p.id AND owned_name IS NOT NULL
    ) AS verified`
  const found = new Map(rows.map(row => [row.host, toOwnedName(row, platformHost)]))
  return names.map(name => found.get(name) ?? null)
}

/** No slug is empty, so that a name beyond the platform host matches none. */
function slugOf(name: string, platformHost: string): string {
  return name.endsWith(`.${platformHost}`) ? name.slice(0, -platformHost.length - 1) : ''
}

function toOwnedName(row: Row, platformHost: string): OwnedName {
  const { host: name, id: projectId, configuration, certified_until: certifiedUntil } = row
  if (!configuration) return { projectId, host: null }
  const ownHost = platformHostOf(row, platformHost)
  const { title, description, domains } = configuration
  const primary = primaryOf(domains, row.verified_names ?? [])
  const host = {
    name,
    projectId,
    redirect: domains.redirects.find(redirect => redirect.from === name) ?? null,
    httpsRedirectStatus: domains.httpsRedirectStatus ?? 308,
    page: { title: title ?? row.name, description, primary: primary ?? ownHost },
    servedUntil: name === ownHost || includesDomains(row.plan) ? null : row.domains_grace_ends_at,
    isSuspended: row.suspended_at !== null,
    certifiedUntil,
  }
  return { projectId, host }
}

/** Where none is named the first domain that went live, of those that do not redirect. */
export function primaryOf(
  { primary, redirects }: DeployConfiguration['domains'],
  verifiedNames: readonly string[],
): string | null {
  return primary ?? verifiedNames.find(name => !redirects.some(({ from }) => from === name)) ?? null
}

type Row = {
  host: string
  id: number
  slug: string
  name: string
  plan: string
  domains_grace_ends_at: Date | null
  suspended_at: Date | null
  configuration: DeployConfiguration | null
  verified_names: string[] | null
  certified_until: Date | null
}
