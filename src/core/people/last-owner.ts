import type { Db } from '../db.ts'
import { StoreError } from '../errors.ts'

/**
 * Throws if the person is the project's only owner. Call only after `lockProject`. Otherwise, if the last two owners
 * left at once, each check would find the other owner.
 */
export async function requireOtherOwner(db: Db, projectId: number, personId: string): Promise<void> {
  const owners = await db.membership.findMany({
    where: { projectId, role: 'owner' },
    select: { personId: true },
    take: 2,
  })
  if (owners.length !== 1 || owners[0]?.personId !== personId) return
  throw new StoreError(
    'last_owner',
    'This is the only owner of the project. Make another member an owner first.',
  )
}
