import type { Invitation, PrismaClient } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { manage } from '../acts.ts'
import type { Db } from '../db.ts'
import { StoreError } from '../errors.ts'
import { isAtLeast, type Role } from '../keys/roles.ts'
import { type Project, toProject } from '../project.ts'
import { lockProject } from '../project-lock.ts'
import { hashSecret, isSecretOf, makeSecretOf } from '../secrets.ts'
import { atProvider } from './issuers.ts'
import { onlyOwners, requireOwner } from './owner-rights.ts'
import { idleMs } from './sessions.ts'

const lifetimeMs = 7 * 24 * 60 * 60 * 1000
/** The highest number of members and open invitations together that a project may have. */
const mostMembers = 100

export type NewInvitation = {
  role: Role
  invitedBy: string | null
  isForFirstOwner?: boolean
  /**
   * Present if the service itself makes the invitation of the first owner while the service starts, with the configured
   * identity provider. In this case, the invitation is refused only if the project has an owner who can sign in.
   * Otherwise, the invitation of a first owner is refused as soon as the project has any member.
   */
  byStart?: { issuer: string | null }
}
/** The only object with the readable secret. The database has only the hash of this secret. */
export type MadeInvitation = { secret: string; invitation: Invitation }

/**
 * Makes a link by which one person joins the project within seven days. If `isForFirstOwner` is true, the new link
 * replaces the project's earlier link for the first owner.
 */
export function invite(
  db: PrismaClient,
  clock: Clock,
  project: Project,
  { role, invitedBy, isForFirstOwner = false, byStart }: NewInvitation,
): Promise<MadeInvitation> {
  return manage(db, async tx => {
    await lockProject(tx, project.id)
    const now = new Date(clock.now())
    if (isForFirstOwner) {
      await tx.invitation.deleteMany({ where: { projectId: project.id, isForFirstOwner } })
      // The caller has already checked that the project has no owner, but the first owner may have joined since that
      // check.
      const isTaken = byStart
        ? await hasOwner(tx, clock, project.slug, byStart.issuer)
        : (await tx.membership.count({ where: { projectId: project.id } })) > 0
      if (isTaken) throw onlyOwners()
    } else if (invitedBy !== null) await requireOwner(tx, project.id, invitedBy)
    await requireRoom(tx, project.id, now)
    const secret = makeSecretOf('invitation')
    const invitation = await tx.invitation.create({
      data: {
        ...{ projectId: project.id, role, invitedBy, isForFirstOwner, createdAt: now },
        hash: new Uint8Array(hashSecret(secret)),
        expiresAt: new Date(now.getTime() + lifetimeMs),
      },
    })
    return { secret, invitation }
  })
}

/** Call when a member becomes owner: an API key or the start made the link only for a project without an owner. */
export async function withdrawFirstOwnerLink(tx: Db, projectId: number): Promise<void> {
  await tx.invitation.deleteMany({ where: { projectId, isForFirstOwner: true } })
}

/** Throws if the project is full. Call only after `lockProject`. */
export async function requireRoom(tx: Db, projectId: number, now: Date): Promise<void> {
  const members = await tx.membership.count({ where: { projectId } })
  const open = await tx.invitation.count({ where: { projectId, expiresAt: { gt: now } } })
  if (members + open < mostMembers) return
  throw new StoreError(
    'too_many_members',
    `A project has at most ${mostMembers} members and open invitations; withdraw an invitation first.`,
  )
}

/**
 * Invites the first owner of a project, at the start of the service. Returns null if the project has an owner who can
 * sign in, because that owner invites further members.
 */
export async function inviteFirstOwner(
  db: PrismaClient,
  clock: Clock,
  slug: string,
  issuer: string | null,
): Promise<string | null> {
  if (await hasOwner(db, clock, slug, issuer)) return null
  const row = await db.project.findUnique({ where: { slug }, include: { plan: true } })
  if (!row) return null
  const terms = { role: 'owner', invitedBy: null, isForFirstOwner: true, byStart: { issuer } } as const
  return (await invite(db, clock, toProject(row), terms)).secret
}

/**
 * True if an owner can sign in: by a passkey, at the configured identity provider, or by an open session. A session that was never
 * used does not count, because its cookie may not have reached a browser.
 */
async function hasOwner(db: Db, clock: Clock, slug: string, issuer: string | null): Promise<boolean> {
  const now = clock.now()
  const isUsed = {
    expiresAt: { gt: new Date(now) },
    lastUsedAt: { gt: db.session.fields.createdAt, gte: new Date(now - idleMs) },
  }
  const canSignIn = [atProvider(issuer), { passkeys: { some: {} } }, { sessions: { some: isUsed } }]
  const owners = { role: 'owner', project: { slug }, person: { OR: canSignIn } } as const
  return (await db.membership.findFirst({ where: owners, select: { personId: true } })) !== null
}

/** Lists the open invitations of each of these projects, newest first. */
export async function listInvitationsOfProjects(
  db: Db,
  clock: Clock,
  projectIds: readonly number[],
): Promise<Invitation[][]> {
  const open = await db.invitation.findMany({
    where: { projectId: { in: [...projectIds] }, expiresAt: { gt: new Date(clock.now()) } },
    orderBy: { id: 'desc' },
  })
  return projectIds.map(id => open.filter(({ projectId }) => projectId === id))
}

export async function withdrawInvitation(db: PrismaClient, project: Project, id: string): Promise<void> {
  const where = { id, projectId: project.id }
  const { count } = await manage(db, tx => tx.invitation.deleteMany({ where }))
  if (count === 0) throw new StoreError('invitation_not_found', 'The project has no such invitation.')
}

export type ShownInvitation = {
  project: { slug: string; name: string }
  role: Role
  invitedBy: string | null
  /** The person who opened the link, if signed in. `isMember`: the person has this role or a higher one already. */
  openedBy: { name: string; isMember: boolean } | null
}

/** Shows an invitation to somebody with the link, and does not use it up. */
export async function showInvitation(
  db: Db,
  clock: Clock,
  secret: unknown,
  personId: string | null = null,
): Promise<ShownInvitation> {
  const { role, project, projectId, invitedBy } = await findInvitation(db, clock, secret)
  const inviter = invitedBy && (await db.person.findUnique({ where: { id: invitedBy } }))
  const person =
    personId !== null &&
    (await db.person.findUnique({
      where: { id: personId },
      select: { name: true, memberships: { where: { projectId } } },
    }))
  return {
    project: { slug: project.slug, name: project.name },
    role,
    invitedBy: inviter ? inviter.name : null,
    openedBy: person
      ? { name: person.name, isMember: person.memberships.some(held => isAtLeast(held.role, role)) }
      : null,
  }
}

/** Throws if the link is not open. */
async function findInvitation(db: Db, clock: Clock, link: unknown) {
  const invitation = await findOpenInvitation(db, clock, link)
  if (!invitation) throw noInvitation()
  return invitation
}

/**
 * Finds an open invitation by the secret of its link, or by the hash of this secret. Only the hash is stored while the
 * person is at the identity provider.
 */
export async function findOpenInvitation(db: Db, clock: Clock, link: unknown) {
  const hash =
    link instanceof Uint8Array
      ? new Uint8Array(link)
      : isSecretOf('invitation', link) && new Uint8Array(hashSecret(link))
  const invitation = hash
    ? await db.invitation.findUnique({
        where: { hash },
        include: { project: { select: { slug: true, name: true } } },
      })
    : null
  return invitation && invitation.expiresAt.getTime() > clock.now() ? invitation : null
}

export const noInvitation = () =>
  new StoreError(
    'invitation_not_found',
    'This link was used, withdrawn or has expired. Ask an owner of the project for a new one.',
  )
