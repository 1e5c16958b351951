import type { Passkey, PrismaClient } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { manage } from '../acts.ts'
import type { Db } from '../db.ts'
import { StoreError } from '../errors.ts'
import { isStorable } from '../text.ts'
import { requireRightToAddPasskey } from './operators.ts'

const mostPasskeys = 20

export type NewPasskey = Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'transports' | 'name'>

/**
 * Stores a passkey that the person's authenticator has just made in this session. Throws if the session has no right to
 * add one.
 */
export async function addPasskey(
  db: PrismaClient,
  clock: Clock,
  { id: personId, sessionId }: { id: string; sessionId: string },
  passkey: NewPasskey,
): Promise<Passkey> {
  return manage(db, async tx => {
    // Lock the person, so that the count still holds when the passkey is written, and the person does not become an
    // operator in between.
    await tx.$queryRaw`SELECT 1 FROM people WHERE id = ${personId}::uuid FOR NO KEY UPDATE`
    await requireRightToAddPasskey(tx, sessionId)
    if ((await tx.passkey.count({ where: { personId } })) >= mostPasskeys)
      throw new StoreError(
        'precondition_failed',
        `A person has at most ${mostPasskeys} passkeys; remove one first.`,
      )
    return tx.passkey.create({ data: { ...passkey, personId, createdAt: new Date(clock.now()) } })
  })
}

export async function findPasskey(db: Db, id: string): Promise<Passkey | null> {
  return isStorable(id) ? db.passkey.findUnique({ where: { id } }) : null
}

export function listPasskeys(db: Db, personId: string): Promise<Passkey[]> {
  return db.passkey.findMany({ where: { personId }, orderBy: { createdAt: 'asc' } })
}

/**
 * Records a sign-in. The counter of a passkey grows with each sign-in. If the passkey is synced between devices, the
 * counter stays 0.
 */
export async function notePasskeyUse(db: Db, clock: Clock, id: string, counter: number): Promise<void> {
  await db.passkey.updateMany({
    where: { id },
    data: { counter: BigInt(counter), lastUsedAt: new Date(clock.now()) },
  })
}

export async function removePasskey(db: PrismaClient, personId: string, id: string): Promise<void> {
  const { count } = isStorable(id)
    ? await manage(db, tx => tx.passkey.deleteMany({ where: { id, personId } }))
    : { count: 0 }
  if (count === 0) throw new StoreError('passkey_not_found', 'You have no such passkey.')
}
