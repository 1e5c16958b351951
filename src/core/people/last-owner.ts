import type { Db } from '../db.ts'
import { StoreError } from '../errors.ts'

/**
 * Throws if the person is the project's only owner. Call only after `lockProject`: two last owners who leave at once
 * would otherwise both count the other one.
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
