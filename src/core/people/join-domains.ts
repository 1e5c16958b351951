import type { JoinDomain, PrismaClient } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { actFromHereAs, manage } from '../acts.ts'
import type { Db } from '../db.ts'
import { invalidInput } from '../errors.ts'
import type { Role } from '../keys/roles.ts'
import type { Project } from '../project.ts'
import { lockProject } from '../project-lock.ts'
import { hashOfIdentity } from './barred.ts'
import { requireRoom } from './invitations.ts'
import { spellingsOf } from './issuers.ts'
import { domainOfAddress, parseJoinDomain } from './mail-domain.ts'
import { requireOwner } from './owner-rights.ts'
import { createPerson, findPersonOfIssuer, type IssuerIdentity } from './people.ts'
import { type BegunSession, beginSession } from './sessions.ts'

const mostDomains = 20

export type NewJoinDomain = { domain: string; role: Role; issuer: string }

/**
 * Lets people of the issuer with a verified address of exactly this domain join the project. Replaces the role of a
 * domain that is set already. A domain cannot give the role owner, because owners are invited. `by` is the owner who
 * calls; null for an operator.
 */
export function setJoinDomain(
  db: PrismaClient,
  clock: Clock,
  project: Project,
  { domain: given, role, issuer }: NewJoinDomain,
  by: string | null = null,
): Promise<JoinDomain> {
  const parsed = parseJoinDomain(given)
  if ('problem' in parsed) throw invalidInput([{ field: 'domain', message: parsed.problem }])
  if (role === 'owner')
    throw invalidInput([{ field: 'role', message: 'must be viewer or developer; invite owners instead' }])
  const { domain } = parsed
  return manage(db, async tx => {
    await lockProject(tx, project.id)
    const { id: projectId } = project
    if (by !== null) await requireOwner(tx, projectId, by)
    const others = await tx.joinDomain.count({ where: { projectId, domain: { not: domain } } })
    if (others >= mostDomains)
      throw invalidInput([
        {
          field: 'domain',
          message: `cannot be added: the project has ${mostDomains} domains for joining already`,
        },
      ])
    const where = { projectId_domain: { projectId, domain } }
    const create = { projectId, domain, role, issuer, createdAt: new Date(clock.now()) }
    return tx.joinDomain.upsert({ where, create, update: { role, issuer } })
  })
}

/** Removes a domain: its people can no longer join. Members stay. Returns false if the domain was not set. */
export async function removeJoinDomain(db: PrismaClient, project: Project, given: string): Promise<boolean> {
  const parsed = parseJoinDomain(given)
  if ('problem' in parsed) return false
  const where = { projectId: project.id, domain: parsed.domain }
  const { count } = await manage(db, tx => tx.joinDomain.deleteMany({ where }))
  return count > 0
}

/** Lists the domains of each of these projects. */
export async function listJoinDomainsOfProjects(db: Db, ids: readonly number[]): Promise<JoinDomain[][]> {
  const rows = await db.joinDomain.findMany({
    where: { projectId: { in: [...ids] } },
    orderBy: { domain: 'asc' },
  })
  return ids.map(id => rows.filter(({ projectId }) => projectId === id))
}

/** A person whom the issuer has just signed in. `email` is an address that the issuer has verified. */
export type Joiner = { identity: IssuerIdentity; name: string; email: string | null }

/**
 * Makes the joiner a member if a domain of the project admits the address, and begins a session in the same
 * transaction. Otherwise returns null. Also returns null if the project does not exist, so that callers cannot find out
 * which projects exist. A person who is already a member keeps the role. `issuer` is the configured provider as the
 * settings spell it. Domains are stored with this spelling, and identities with the provider's own.
 */
export function joinByDomain(
  db: PrismaClient,
  clock: Clock,
  slug: string,
  { identity, name, email }: Joiner,
  issuer: string,
  device: string,
): Promise<BegunSession | null> {
  const domain = email === null ? null : domainOfAddress(email)
  const spellings = spellingsOf(issuer)
  if (domain === null || !spellings.includes(identity.issuer)) return Promise.resolve(null)
  return manage(db, async tx => {
    const found = await tx.project.findUnique({ where: { slug }, select: { id: true } })
    if (!found) return null
    const projectId = found.id
    await lockProject(tx, projectId)
    const rule = await tx.joinDomain.findFirst({ where: { projectId, domain, issuer: { in: spellings } } })
    if (!rule) return null
    const known = await findPersonOfIssuer(tx, identity)
    const isMember = known && (await tx.membership.count({ where: { projectId, personId: known.id } })) > 0
    if (isMember) return beginSession(tx, clock, known.id, device, { byIssuer: true })
    const hash = hashOfIdentity(identity)
    if (await tx.barredIdentity.findUnique({ where: { projectId_hash: { projectId, hash } } })) return null
    await requireRoom(tx, projectId, new Date(clock.now()))
    const personId = known?.id ?? (await createPerson(tx, clock, name, identity)).id
    await actFromHereAs(tx, { type: 'person', id: personId, name: 'a person' })
    await tx.membership.create({
      data: { projectId, personId, role: rule.role, joinedAt: new Date(clock.now()) },
    })
    return beginSession(tx, clock, personId, device, { byIssuer: true })
  })
}
