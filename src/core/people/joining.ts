import type { PrismaClient } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { actFromHereAs, manage } from '../acts.ts'
import type { Db } from '../db.ts'
import { isAtLeast } from '../keys/roles.ts'
import { lockProject } from '../project-lock.ts'
import { hashSecret } from '../secrets.ts'
import { admitIdentity } from './barred.ts'
import { findOpenInvitation, noInvitation, withdrawFirstOwnerLink } from './invitations.ts'
import { createPerson, type IssuerIdentity } from './people.ts'
import { type BegunSession, beginSession } from './sessions.ts'

/** A person who is signed in, or the name of a new person. */
export type Joining = { personId: string } | { name: unknown; identity?: IssuerIdentity | null }

export type JoiningTerms = {
  /**
   * If present, begins a session of this device together with the membership. Absent if the person already has a
   * session.
   */
  signIn?: { device: string; byIssuer?: boolean }
  /** A random value of the page. If the page gets no answer, it repeats the request with this value. */
  attempt?: unknown
}

export type Joined = { personId: string; project: string; begun: BegunSession | null }

const purpose = 'joining'
/** Time within which a page can repeat its request to join. */
const repeatMs = 10 * 60 * 1000

/**
 * Uses up an invitation: in one transaction, the person becomes a member and is signed in. With two transactions, a
 * process that ends between them could leave a new person without a session although the link is used up. A person who
 * is already a member gets the invitation's role if it is the higher one, and otherwise does not use up the link. If two
 * people use one link at once, the database lets only one of them join.
 */
export async function acceptInvitation(
  db: PrismaClient,
  clock: Clock,
  link: unknown,
  joining: Joining,
  { signIn, attempt }: JoiningTerms = {},
): Promise<Joined> {
  const hash = hashOfAttempt(link, attempt)
  // Refuse most guessed links here, without a transaction.
  if (!((await findOpenInvitation(db, clock, link)) ?? (await findJoining(db, hash)))) throw noInvitation()
  return manage(db, async tx => {
    const invitation = await findOpenInvitation(tx, clock, link)
    if (!invitation) return repeatJoining(tx, clock, hash, joining, signIn)
    const { id, projectId, role, project } = invitation
    await lockProject(tx, projectId)
    const personId =
      'personId' in joining
        ? joining.personId
        : (await createPerson(tx, clock, joining.name, joining.identity ?? null)).id
    await actFromHereAs(tx, { type: 'person', id: personId, name: 'a person' })
    const begin = async () =>
      signIn ? beginSession(tx, clock, personId, signIn.device, { byIssuer: signIn.byIssuer ?? false }) : null
    const key = { projectId, personId }
    const held = await tx.membership.findUnique({ where: { projectId_personId: key } })
    if (held && isAtLeast(held.role, role)) return { personId, project: project.slug, begun: await begin() }
    const { count } = await tx.invitation.deleteMany({ where: { id } })
    if (count === 0) throw noInvitation()
    await admitIdentity(tx, projectId, personId)
    if (held) await tx.membership.update({ where: { projectId_personId: key }, data: { role } })
    else await tx.membership.create({ data: { ...key, role, joinedAt: new Date(clock.now()) } })
    if (role === 'owner') await withdrawFirstOwnerLink(tx, projectId)
    const begun = await begin()
    if (hash) {
      const data = { project: project.slug, sessionId: begun?.session.id ?? null }
      const expiresAt = new Date(clock.now() + repeatMs)
      await tx.challenge.create({ data: { hash, purpose, personId, data, expiresAt } })
    }
    return { personId, project: project.slug, begun }
  })
}

/**
 * Answers a repeated request to join with a new session. The first session's cookie did not reach the page, so that
 * session ends.
 */
async function repeatJoining(
  tx: Db,
  clock: Clock,
  hash: Uint8Array<ArrayBuffer> | null,
  joining: Joining,
  signIn: JoiningTerms['signIn'],
): Promise<Joined> {
  const done = await findJoining(tx, hash)
  const personId = done?.personId
  const isOther = 'personId' in joining && joining.personId !== personId
  if (!done || !personId || isOther || done.expiresAt.getTime() <= clock.now()) throw noInvitation()
  const { project, sessionId } = done.data as { project: string; sessionId: string | null }
  if (!signIn || sessionId === null) return { personId, project, begun: null }
  const { count } = await tx.session.deleteMany({ where: { id: sessionId, personId } })
  // The first session no longer exists: the person has signed out or was deleted.
  if (count === 0) throw noInvitation()
  const begun = await beginSession(tx, clock, personId, signIn.device, { byIssuer: signIn.byIssuer ?? false })
  const data = { project, sessionId: begun.session.id }
  await tx.challenge.update({ where: { hash: done.hash }, data: { data } })
  return { personId, project, begun }
}

const findJoining = async (db: Db, hash: Uint8Array<ArrayBuffer> | null) =>
  hash && db.challenge.findUnique({ where: { hash, purpose } })

/**
 * Hashes the link's secret together with the random value of the page. Only the page that opened the link knows the two
 * values, so only this page can repeat the request.
 */
function hashOfAttempt(link: unknown, attempt: unknown): Uint8Array<ArrayBuffer> | null {
  if (typeof link !== 'string' || typeof attempt !== 'string' || !/^[\w-]{43}$/.test(attempt)) return null
  return new Uint8Array(hashSecret(`${link} ${attempt}`))
}
