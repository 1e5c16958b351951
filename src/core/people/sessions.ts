import type { PrismaClient, Session } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { dayMs } from '../../tools/durations.ts'
import { manage } from '../acts.ts'
import type { Db } from '../db.ts'
import { StoreError } from '../errors.ts'
import { hashSecret, isSecretOf, makeSecretOf } from '../secrets.ts'

/** A session that was not used for this long has ended. */
export const idleMs = 7 * dayMs
/** A session ends after this time at the latest. */
export const longestMs = 30 * dayMs
/** The most sessions of a person. If there are more, the oldest ones end. */
const mostSessions = 20

export type BegunSession = { secret: string; session: Session }

/** Begins a session. Every sign-in gets a new secret, so an attacker cannot choose the secret of another person's session. */
export async function beginSession(
  db: Db,
  clock: Clock,
  personId: string,
  device: string,
  how: { byIssuer?: boolean; byPasskey?: boolean } = {},
): Promise<BegunSession> {
  const now = new Date(clock.now())
  const secret = makeSecretOf('session')
  const session = await db.session.create({
    data: {
      ...{ personId, device, ...how, createdAt: now, lastUsedAt: now },
      hash: new Uint8Array(hashSecret(secret)),
      expiresAt: new Date(now.getTime() + longestMs),
    },
  })
  const surplus = await db.session.findMany({
    where: { personId },
    orderBy: { id: 'desc' },
    skip: mostSessions,
    select: { id: true },
  })
  if (surplus.length > 0) await db.session.deleteMany({ where: { id: { in: surplus.map(({ id }) => id) } } })
  return { secret, session }
}

/** Finds a session that has not ended. */
export async function findSession(db: Db, clock: Clock, secret: unknown): Promise<Session | null> {
  if (!isSecretOf('session', secret)) return null
  const session = await db.session.findUnique({ where: { hash: new Uint8Array(hashSecret(secret)) } })
  return session && isOpen(session, clock.now()) ? session : null
}

function isOpen({ lastUsedAt, expiresAt }: Session, now: number): boolean {
  return expiresAt.getTime() > now && lastUsedAt.getTime() + idleMs > now
}

/** Lists a person's open sessions, the last used first. */
export async function listSessions(db: Db, clock: Clock, personId: string): Promise<Session[]> {
  const sessions = await db.session.findMany({ where: { personId }, orderBy: { lastUsedAt: 'desc' } })
  return sessions.filter(session => isOpen(session, clock.now()))
}

/** Ends one session of the person, and with it the session's access tokens in every process. */
export async function endSession(db: Db, personId: string, id: string): Promise<{ byIssuer: boolean }> {
  const rows = await db.$queryRaw<{ byIssuer: boolean }[]>`
    DELETE FROM sessions WHERE id = ${id}::uuid AND person_id = ${personId}::uuid RETURNING by_issuer AS "byIssuer"`
  if (!rows[0]) throw new StoreError('session_not_found', 'There is no such session.')
  return rows[0]
}

/** Ends the person's sessions, except for one. */
export async function endSessions(db: Db, personId: string, exceptId: string | null): Promise<number> {
  const { count } = await db.session.deleteMany({
    where: { personId, ...(exceptId !== null && { id: { not: exceptId } }) },
  })
  return count
}

/** Deletes tokens, challenges, device codes, invitations and sessions that have ended. */
export async function forgetEnded(db: PrismaClient, now: Date): Promise<void> {
  await db.accessToken.deleteMany({ where: { expiresAt: { lte: now } } })
  await db.operatorToken.deleteMany({ where: { expiresAt: { lte: now } } })
  await db.challenge.deleteMany({ where: { expiresAt: { lte: now } } })
  await db.deviceCode.deleteMany({ where: { expiresAt: { lte: now } } })
  await manage(db, tx => tx.invitation.deleteMany({ where: { expiresAt: { lte: now } } }))
  const idleSince = new Date(now.getTime() - idleMs)
  await db.session.deleteMany({
    where: { OR: [{ expiresAt: { lte: now } }, { lastUsedAt: { lte: idleSince } }] },
  })
}
