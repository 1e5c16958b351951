import type { Db } from '../db.ts'
import type { DeployConfiguration } from '../deploys/configuration.ts'
import { platformHostOf } from '../hosts/platform-host.ts'
import { includesDomains } from '../projects/plans.ts'

/** A served host and its project. */
export type ServedHost = {
  name: string
  projectId: number
  /** The redirect of this host. It applies only while the target serves the same project as this host. */
  redirect: { to: string; status: number } | null
  /** Status code of redirects from http to https. */
  httpsRedirectStatus: number
  page: { title: string; description: string | null; primary: string }
  /** End of service, set if the plan no longer includes domains. */
  servedUntil: Date | null
  /** True if visitors see only the page for suspended projects. */
  isSuspended: boolean
  /** End of the usable certificate; null if there is none. */
  certifiedUntil: Date | null
}

/** The owner of a name. `host` is null until the project's first successful deploy. */
export type OwnedName = { projectId: number; host: ServedHost | null }

/** Finds the owners of these names, null for a name without an owner. SQL, because Prisma needs several queries. */
export async function lookUpHosts(
  db: Db,
  platformHost: string,
  names: readonly string[],
): Promise<(OwnedName | null)[]> {
  const slugs = names.map(name => slugOf(name, platformHost))
  const rows = await db.$queryRaw<Row[]>`
    SELECT requested.name AS host, p.id, p.slug, p.name, p.plan, p.domains_grace_ends_at, p.suspended_at, current.configuration,
      verified.names AS verified_names,
      (SELECT not_after FROM "certificates" c
        WHERE c.name = requested.name AND c.chain IS NOT NULL AND c.unreadable_since IS NULL) AS certified_until
    FROM unnest(${names}::text[], ${slugs}::text[]) AS requested (name, slug)
    CROSS JOIN LATERAL (
      SELECT project_id AS id FROM "domains" WHERE owned_name = requested.name
      UNION ALL SELECT id FROM "projects" WHERE slug = requested.slug
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

/** Returns the slug in a platform host's name. Returns '' for other names, which matches no project. */
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

/** Returns the configured primary domain, or else the domain that went live first and does not redirect. */
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
