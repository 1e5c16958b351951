import type { Domain, PrismaClient } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { manage } from '../acts.ts'
import { retryCertificate, setCertificateAside } from '../certificates/certificates.ts'
import { type OrderBounds, requireOrder } from '../certificates/orders.ts'
import type { Db } from '../db.ts'
import { deployWithout, deployWithRedirect } from '../deploys/deploys.ts'
import type { DeployLogLine } from '../deploys/validate.ts'
import { invalidInput, StoreError } from '../errors.ts'
import { askAgainMs, nextPendingCheck } from '../hosts/dns-check-schedule.ts'
import type { CheckDns, FindZone } from '../hosts/dns-verdict.ts'
import {
  type NameRules,
  partnerName,
  readDomainName,
  requireAdmitted,
  spellDomainName,
} from '../hosts/names.ts'
import { platformHostOf } from '../hosts/platform-host.ts'
import type { Project } from '../project.ts'
import { changeProject } from '../project-lock.ts'
import { openProjectTurns } from '../project-turns.ts'
import { requirePlan, requirePreconditions } from './preconditions.ts'
import { recordDnsVerdict } from './record-dns-verdict.ts'

/** The tools, besides the database, that the functions for domains use. */
export type DomainTools = {
  clock: Clock
  platformHost: string
  nameRules: NameRules
  checkDns: CheckDns
  findZone: FindZone
  orderBounds: OrderBounds
}

export const mostDomains = 50

/**
 * Limits concurrent DNS checks per project, because a check queries several name servers and may wait seconds for them.
 */
const mostDnsChecksOfProject = 4
const dnsTurns = openProjectTurns(mostDnsChecksOfProject)

export type NewDomain = { name: string; withPartner?: boolean | null }
export type AddedDomain = { domain: Domain; partner: Domain | null }

/** Adds a domain. If the project has it already, returns it, so that a client can repeat the request. */
export async function addDomain(
  db: PrismaClient,
  tools: DomainTools,
  project: Project,
  input: NewDomain,
): Promise<AddedDomain> {
  const name = readDomainName(input.name, tools.nameRules)
  const partner = input.withPartner ? partnerName(name) : null
  // The plan is checked again after the project is locked. This first check avoids DNS queries for projects that may
  // have no domains.
  requirePlan(project)
  // The zone decides which type of record is needed.
  const [zone, partnerZone] = await Promise.all(
    [name, partner].map(one => one && dnsTurns(db, project.id, () => tools.findZone(one))),
  )
  return changeProject(db, project.id, async tx => {
    await requirePreconditions(tx, project)
    const domain = await addName(tx, tools.clock, project, { name, zone: zone ?? null })
    if (!partner) return { domain, partner: null }
    const added = await addName(tx, tools.clock, project, { name: partner, zone: partnerZone ?? null })
    const published = await deployWithRedirect(tx, tools, project, { from: partner, to: name, status: 301 })
    // If the redirect cannot be published, throw, so that neither of the two domains is added.
    if (published?.succeeded === false) throw partnerRefused(partner, published.log)
    return { domain, partner: added }
  })
}

function partnerRefused(partner: string, log: readonly DeployLogLine[]): StoreError {
  const reasons = log.slice(0, -1).flatMap(({ level, message }) => (level === 'error' ? [message] : []))
  const message = `must be false, because ${partner} cannot redirect: ${reasons.join(' ').replace(/\.$/, '')}`
  return invalidInput([{ field: 'withPartner', message }])
}

async function addName(
  tx: Db,
  clock: Clock,
  project: Project,
  { name, zone }: { name: string; zone: string | null },
): Promise<Domain> {
  const known = await tx.domain.findUnique({ where: { projectId_name: { projectId: project.id, name } } })
  if (known) return known
  if ((await tx.domain.count({ where: { projectId: project.id } })) >= mostDomains) {
    throw new StoreError(
      'too_many_domains',
      `A project has at most ${mostDomains} domains; remove one first.`,
    )
  }
  const now = new Date(clock.now())
  return tx.domain.create({
    data: {
      projectId: project.id,
      name,
      zone,
      createdAt: now,
      looksSince: now,
      nextLookAt: nextPendingCheck(now, clock.now()),
    },
  })
}

export function listDomains(db: Db, project: Pick<Project, 'id'>): Promise<Domain[]> {
  return db.domain.findMany({ where: { projectId: project.id }, orderBy: { name: 'asc' } })
}

export async function findDomain(db: Db, project: Project, name: string): Promise<Domain> {
  const stored = spellDomainName(name)
  const domain = await db.domain.findFirst({ where: { name: stored, projectId: project.id } })
  if (!domain) throw noSuchDomain(stored)
  return domain
}

export const noSuchDomain = (name: string) =>
  new StoreError('domain_not_found', `The project has no domain ${name}.`)

export async function findDomainById(db: Db, project: Pick<Project, 'id'>, id: string): Promise<Domain> {
  const domain = await db.domain.findFirst({ where: { id, projectId: project.id } })
  if (!domain) throw new StoreError('domain_not_found', 'The project has no such domain.')
  return domain
}

/** Checks DNS now. If the record is right, the domain becomes live and its certificate is requested. */
export async function verifyDomain(
  db: PrismaClient,
  tools: DomainTools,
  project: Project,
  name: string,
): Promise<Domain> {
  const domain = await findDomain(db, project, name)
  await requirePlan(project)
  // The operator's rules may have changed since the domain was added.
  requireAdmitted(domain.name, tools.nameRules)
  await requireVerifyPause(db, tools.clock, domain)
  const look = await dnsTurns(db, project.id, () =>
    tools.checkDns(domain.name, platformHostOf(project, tools.platformHost)),
  )
  return recordDnsVerdict(db, tools.clock, domain.id, look, { isRequested: true })
}

/** Verifies the domain, and starts a new attempt at the certificate unless the certificate is healthy. */
export async function reverifyDomain(
  db: PrismaClient,
  tools: DomainTools,
  project: Project,
  name: string,
): Promise<Domain> {
  const { ownedName } = await findDomain(db, project, name)
  const now = new Date(tools.clock.now())
  if (ownedName) await requireOrder(db, now, tools.orderBounds, project.id, ownedName)
  const domain = await verifyDomain(db, tools, project, name)
  const owned = domain.ownedName
  if (owned) await manage(db, tx => retryCertificate(tx, now, owned))
  return domain
}

async function requireVerifyPause(db: Db, clock: Clock, domain: Domain): Promise<void> {
  const now = clock.now()
  const { count } = await db.domain.updateMany({
    where: {
      id: domain.id,
      OR: [{ checkRequestedAt: null }, { checkRequestedAt: { lte: new Date(now - askAgainMs) } }],
    },
    data: { checkRequestedAt: new Date(now) },
  })
  if (count > 0) return
  const wait = domain.checkRequestedAt ? domain.checkRequestedAt.getTime() + askAgainMs - now : askAgainMs
  throw new StoreError(
    'verify_too_soon',
    'A domain can be verified once in ten seconds; try again shortly.',
    {
      retryAfterSeconds: Math.max(1, Math.ceil(wait / 1000)),
    },
  )
}

export type RemovedDomain = { id: string; name: string; note: string }

/** Removes the domain. Returns only after every process has stopped serving it. */
export async function removeDomain(
  db: PrismaClient,
  tools: DomainTools,
  project: Project,
  name: string,
): Promise<RemovedDomain> {
  const domain = await findDomain(db, project, name)
  await changeProject(db, project.id, async tx => {
    const { count } = await tx.domain.deleteMany({ where: { id: domain.id, projectId: project.id } })
    if (count === 0) throw new StoreError('domain_not_found', `The project has no domain ${domain.name}.`)
    const owner = await tx.domain.findUnique({ where: { ownedName: domain.name } })
    if (!owner) await setCertificateAside(tx, domain.name)
    await deployWithout(tx, tools, project, domain.name)
  })
  const target = platformHostOf(project, tools.platformHost)
  const note =
    `${domain.name} is no longer served. Delete its DNS record as well: ` +
    `while it still points at ${target}, the name leads to the platform and looks abandoned.`
  return { id: domain.id, name: domain.name, note }
}
