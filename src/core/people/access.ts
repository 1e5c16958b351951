import { Prisma, type PrismaClient, type Session } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { StoreError } from '../errors.ts'
import type { Role } from '../keys/roles.ts'
import { hashSecret, makeSecretOf } from '../secrets.ts'
import { isStorable } from '../text.ts'

const tokenMs = 10 * 60 * 1000

export type Access = { token: string; expiresAt: Date; project: string; role: Role }

/**
 * Issues a bearer token of ten minutes for one of the person's projects: the named project, or else the one that the
 * person joined last. The token ends earlier if the session or the membership ends, because the database deletes the
 * token with them.
 */
export async function issueAccess(
  db: PrismaClient,
  clock: Clock,
  session: Session,
  slug: string | null,
): Promise<Access> {
  const { id: sessionId, personId } = session
  const now = new Date(clock.now())
  const membership = isStorable(slug ?? '')
    ? await db.membership.findFirst({
        where: { personId, ...(slug !== null && { project: { slug } }) },
        orderBy: { joinedAt: 'desc' },
        select: { projectId: true, role: true, project: { select: { slug: true } } },
      })
    : null
  if (!membership) throw new StoreError('project_not_found', 'There is no such project among yours.')
  const token = makeSecretOf('access')
  const expiresAt = accessEndOf(session, now)
  const { projectId, role, project } = membership
  try {
    await db.accessToken.create({
      data: { hash: new Uint8Array(hashSecret(token)), sessionId, projectId, personId, expiresAt },
    })
  } catch (error) {
    if (isMissingParent(error)) throw new StoreError('unauthorized', 'Sign in again.')
    throw error
  }
  await db.session.updateMany({ where: { id: sessionId }, data: { lastUsedAt: now } })
  await db.accessToken.deleteMany({ where: { sessionId, expiresAt: { lte: now } } })
  return { token, expiresAt, project: project.slug, role }
}

/** Returns the end of an access token that is issued to the session now. */
export const accessEndOf = ({ expiresAt }: Session, now: Date) =>
  new Date(Math.min(now.getTime() + tokenMs, expiresAt.getTime()))

/** True if an insert failed because the session or the membership has ended since it was read. */
export const isMissingParent = (error: unknown) =>
  error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2003'
