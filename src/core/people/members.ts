import type { ApiKey, Membership, Person, PrismaClient } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { manage } from '../acts.ts'
import type { Db } from '../db.ts'
import { StoreError } from '../errors.ts'
import type { Role } from '../keys/roles.ts'
import type { Project } from '../project.ts'
import { lockProject } from '../project-lock.ts'
import { isStorable } from '../text.ts'
import { barIdentity } from './barred.ts'
import { withdrawFirstOwnerLink } from './invitations.ts'
import { requireOtherOwner } from './last-owner.ts'
import { requireOwner } from './owner-rights.ts'
import { deleteIfWithoutProject } from './people.ts'

export type Member = Membership & { person: Pick<Person, 'id' | 'name'> }

const withPerson = { include: { person: { select: { id: true, name: true } } } } as const

/**
 * Lists all members in the order in which they joined. The list needs no pages, because `requireRoom` limits the number
 * of members.
 */
export async function listMembers(db: Db, project: Project): Promise<Member[]> {
  const [members = []] = await listMembersOfProjects(db, [project.id])
  return members
}

/** Lists the members of each of these projects. */
export async function listMembersOfProjects(db: Db, projectIds: readonly number[]): Promise<Member[][]> {
  const members = await db.membership.findMany({
    where: { projectId: { in: [...projectIds] } },
    orderBy: [{ joinedAt: 'asc' }, { personId: 'asc' }],
    ...withPerson,
  })
  return projectIds.map(id => members.filter(({ projectId }) => projectId === id))
}

/** Finds a membership by the project's slug. */
export async function findMemberIn(db: Db, slug: string, personId: string): Promise<Membership | null> {
  return isStorable(slug) ? db.membership.findFirst({ where: { personId, project: { slug } } }) : null
}

export type OwnMembership = Membership & { project: { slug: string; name: string } }

/** Lists the projects of a person. */
export function listMemberships(db: Db, personId: string): Promise<OwnMembership[]> {
  return db.membership.findMany({
    where: { personId },
    orderBy: { joinedAt: 'asc' },
    include: { project: { select: { slug: true, name: true } } },
  })
}

/** Changes a member's role. The last owner stays owner. `by` is the owner who calls; null for an operator. */
export function setRole(
  db: PrismaClient,
  project: Project,
  personId: string,
  role: Role,
  by: string | null = null,
): Promise<Member> {
  return manage(db, async tx => {
    await lockProject(tx, project.id)
    if (by !== null) await requireOwner(tx, project.id, by)
    await findMember(tx, project, personId)
    if (role !== 'owner') {
      await requireOtherOwner(tx, project.id, personId)
      await withdrawLinksOf(tx, project, personId)
    } else await withdrawFirstOwnerLink(tx, project.id)
    const where = { projectId_personId: { projectId: project.id, personId } }
    return tx.membership.update({ where, data: { role }, ...withPerson })
  })
}

/** Working API keys that the removed member issued. These keys still give access to the project. */
export type Removed = { keys: ApiKey[] }

/** The schema declares this size too, because the price of a removal is computed from it. */
const mostListedKeys = 100

/**
 * Removes a member, and ends the member's access to the project in every process. The last owner cannot be removed.
 * Withdraws the member's invitations, because the member could use one to come back. A repeated call returns the keys
 * again, for a caller who did not get the first answer. `by` is the owner who calls; null for an operator and for the
 * member itself.
 */
export function removeMember(
  db: PrismaClient,
  clock: Clock,
  project: Project,
  personId: string,
  by: string | null = null,
): Promise<Removed> {
  return manage(db, async tx => {
    await lockProject(tx, project.id)
    if (by !== null) await requireOwner(tx, project.id, by)
    // List the keys before the person is deleted. The name of a terminal's key contains the person's name, and the
    // deletion of the person replaces the person's name in the key's name.
    const keys = await listKeysOf(tx, clock, project, personId)
    const isMember = await tx.membership.count({ where: { projectId: project.id, personId } })
    if (!isMember && keys.length > 0) return { keys }
    if (!isMember) throw noMember()
    await requireOtherOwner(tx, project.id, personId)
    await withdrawLinksOf(tx, project, personId)
    await barIdentity(tx, project.id, personId)
    await tx.membership.delete({ where: { projectId_personId: { projectId: project.id, personId } } })
    await deleteIfWithoutProject(tx, personId)
    return { keys }
  })
}

/** Lists the newest working API keys that a person issued, also through another key. */
function listKeysOf(db: Db, clock: Clock, project: Project, personId: string): Promise<ApiKey[]> {
  const now = new Date(clock.now())
  return db.apiKey.findMany({
    where: {
      projectId: project.id,
      issuedBy: personId,
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
    },
    orderBy: { id: 'desc' },
    take: mostListedKeys,
  })
}

async function findMember(tx: Db, project: Project, personId: string): Promise<Member> {
  const member = await tx.membership.findFirst({ where: { projectId: project.id, personId }, ...withPerson })
  if (!member) throw noMember()
  return member
}

const noMember = () => new StoreError('member_not_found', 'The project has no such member.')

async function withdrawLinksOf(tx: Db, project: Project, personId: string): Promise<void> {
  await tx.invitation.deleteMany({ where: { projectId: project.id, invitedBy: personId } })
}
