import type { Passkey, Person, PrismaClient, Session } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { manage } from '../acts.ts'
import type { Db } from '../db.ts'
import { StoreError } from '../errors.ts'
import { hashSecret, isSecretOf, makeSecretOf } from '../secrets.ts'
import { accessEndOf, isMissingParent } from './access.ts'
import { deleteIfWithoutProject } from './people.ts'

/** The operator who calls: either a key, which has only a name, or a person with a session. */
export type Operator = { name: string; person: { id: string; sessionId: string } | null }

/** How the log names the operator: a key by its name, a person by the id alone. */
export const operatorInLog = ({ name, person }: Operator) => (person ? `person:${person.id}` : name)

export type ShownOperator = Person & { passkeys: Passkey[] }
const withPasskeys = { include: { passkeys: { orderBy: { createdAt: 'asc' } } } } as const

export function listOperators(db: Db): Promise<ShownOperator[]> {
  return db.person.findMany({ where: { operator: true }, orderBy: { id: 'asc' }, ...withPasskeys })
}

/**
 * Makes a person an operator. The person must already have a passkey, because an operator can add a passkey only in a
 * session that began with a sign-in by passkey. Otherwise a thief of a session that began without a passkey could add
 * the thief's own passkey and act as operator.
 */
export function addOperator(db: PrismaClient, personId: string): Promise<ShownOperator> {
  return manage(db, async tx => {
    // Lock the person as `addPasskey` does, so that the returned list of passkeys is complete. After the lock,
    // `addPasskey` checks the session's right again.
    await tx.$queryRaw`SELECT 1 FROM people WHERE id = ${personId}::uuid FOR NO KEY UPDATE`
    const person = await tx.person.findUnique({ where: { id: personId }, ...withPasskeys })
    if (!person) throw noSuchPerson()
    if (person.passkeys.length === 0)
      throw new StoreError('precondition_failed', `${person.name} has no passkey, and an operator needs one.`)
    if (person.operator) return person
    return tx.person.update({ where: { id: personId }, data: { operator: true }, ...withPasskeys })
  })
}

/**
 * Removes the person's operator flag. Every request reads the flag, so the removal takes effect at once. Deletes the
 * person if the person is in no project.
 */
export function removeOperator(db: PrismaClient, personId: string): Promise<void> {
  return manage(db, async tx => {
    const { count } = await tx.person.updateMany({
      where: { id: personId, operator: true },
      data: { operator: false },
    })
    if (count === 0) return
    await tx.operatorToken.deleteMany({ where: { session: { personId } } })
    await deleteIfWithoutProject(tx, personId)
  })
}

export const noSuchPerson = () => new StoreError('member_not_found', 'There is no such person.')

/** `needs_passkey`: the person is an operator, but this session did not begin with a passkey. Null: no operator. */
export type OperatorRights = 'granted' | 'needs_passkey' | null

export async function operatorRightsOf(db: Db, { personId, byPasskey }: Session): Promise<OperatorRights> {
  const person = await db.person.findUnique({ where: { id: personId }, select: { operator: true } })
  if (!person?.operator) return null
  return byPasskey ? 'granted' : 'needs_passkey'
}

export type OperatorAccess = { token: string; expiresAt: Date }

/**
 * Issues a bearer token of ten minutes with which the session acts as operator. The token ends earlier if the session
 * ends.
 */
export async function issueOperatorAccess(db: Db, clock: Clock, session: Session): Promise<OperatorAccess> {
  const rights = await operatorRightsOf(db, session)
  if (rights === 'needs_passkey')
    throw new StoreError('insufficient_scope', 'Sign in with a passkey to act as operator.')
  if (rights === null) throw new StoreError('insufficient_scope', 'You are not an operator of the service.')
  const now = new Date(clock.now())
  const token = makeSecretOf('operator')
  const expiresAt = accessEndOf(session, now)
  const { id: sessionId } = session
  try {
    await db.operatorToken.create({ data: { hash: hashOf(token), sessionId, expiresAt } })
  } catch (error) {
    if (isMissingParent(error)) throw new StoreError('unauthorized', 'Sign in again.')
    throw error
  }
  await db.session.updateMany({ where: { id: sessionId }, data: { lastUsedAt: now } })
  await db.operatorToken.deleteMany({ where: { sessionId, expiresAt: { lte: now } } })
  return { token, expiresAt }
}

/**
 * Finds the operator of a token. Returns null if the token or the session has ended, or if the person is no longer an
 * operator. The result is not cached: operators call seldom, and every process must refuse a removed operator at the
 * next request.
 */
export async function findOperatorOfToken(db: Db, clock: Clock, secret: string): Promise<Operator | null> {
  if (!isSecretOf('operator', secret)) return null
  const found = await db.operatorToken.findFirst({
    where: {
      ...{ hash: hashOf(secret), expiresAt: { gt: new Date(clock.now()) } },
      session: { byPasskey: true, person: { operator: true } },
    },
    select: { sessionId: true, session: { select: { person: { select: { id: true, name: true } } } } },
  })
  if (!found) return null
  const { id, name } = found.session.person
  return { name, person: { id, sessionId: found.sessionId } }
}

/**
 * Throws if the session has ended. Also throws if the person is an operator whose session did not begin with a passkey,
 * because such a session must not add a second factor.
 */
export async function requireRightToAddPasskey(db: Db, sessionId: string): Promise<void> {
  const session = await db.session.findUnique({ where: { id: sessionId } })
  // The session may have ended although its access token is still cached for a moment.
  if (!session) throw new StoreError('unauthorized', 'The session has ended. Sign in again.')
  if ((await operatorRightsOf(db, session)) === 'needs_passkey')
    throw new StoreError('insufficient_scope', 'An operator adds passkeys only after signing in with one.')
}

const hashOf = (secret: string) => new Uint8Array(hashSecret(secret))
