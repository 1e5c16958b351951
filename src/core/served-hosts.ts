import type { PrismaClient } from '../generated/prisma/client.ts'
import type { DeployConfiguration } from './deploy-configuration.ts'
import { includesDomains } from './plans.ts'
import { platformHostOf } from './platform-host.ts'

/** A host that is served, for whom, and how. */
export type ServedHost = {
  name: string
  projectId: number
  /** Where visitors are sent instead; only ever to a host that is served as well. */
  redirect: { to: string; status: number } | null
  page: { title: string; description: string | null; primary: string }
  /** The plan has no domains any more; the host is served until then. */
  servedUntil: Date | null
  certificate: { chain: string; sealedKey: Uint8Array } | null
}

export type HostsReading = { version: number; hosts: Map<string, ServedHost> }

/** The version is read before the hosts, so that a change in between shows as one more version to come. */
export async function readServedHosts(db: PrismaClient, platformHost: string): Promise<HostsReading> {
  const version = await readHostsVersion(db)
  const deploys = await db.$queryRaw<CurrentDeploy[]>`
    SELECT DISTINCT ON (d.project_id) d.project_id, d.configuration, p.slug, p.name, p.plan, p.domains_grace_ends_at
    FROM deploys d JOIN projects p ON p.id = d.project_id
    WHERE d.succeeded ORDER BY d.project_id, d.id DESC`
  const domains = await db.domain.findMany({
    where: { ownedName: { not: null } },
    select: { name: true, projectId: true },
  })
  const certificates = await db.certificate.findMany({
    where: { chain: { not: null } },
    select: { name: true, chain: true, sealedKey: true },
  })
  const certificateOf = new Map(certificates.map(row => [row.name, row]))
  const hosts = new Map<string, ServedHost>()
  const currentOf = new Map(deploys.map(row => [row.project_id, row]))

  const serve = (name: string, current: CurrentDeploy, servedUntil: Date | null) => {
    const { title, description, domains: wanted } = current.configuration
    const primary = wanted.primary ?? platformHostOf(current, platformHost)
    const { chain, sealedKey } = certificateOf.get(name) ?? {}
    hosts.set(name, {
      name,
      projectId: current.project_id,
      redirect: wanted.redirects.find(redirect => redirect.from === name) ?? null,
      page: { title: title ?? current.name, description, primary },
      servedUntil,
      certificate: chain && sealedKey ? { chain, sealedKey } : null,
    })
  }
  for (const current of deploys) serve(platformHostOf(current, platformHost), current, null)
  for (const { name, projectId } of domains) {
    const current = currentOf.get(projectId)
    if (current) serve(name, current, includesDomains(current.plan) ? null : current.domains_grace_ends_at)
  }
  for (const host of hosts.values()) {
    // Better the project itself than a redirect to a name that is not served, or that someone else owns now.
    if (host.redirect && hosts.get(host.redirect.to)?.projectId !== host.projectId) host.redirect = null
  }
  return { version, hosts }
}

export async function readHostsVersion(db: PrismaClient): Promise<number> {
  return (await db.hostsVersion.findUnique({ where: { id: 1 } }))?.version ?? 0
}

type CurrentDeploy = {
  project_id: number
  configuration: DeployConfiguration
  slug: string
  name: string
  plan: string
  domains_grace_ends_at: Date | null
}
