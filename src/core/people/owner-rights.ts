import type { Db } from '../db.ts'
import { StoreError } from '../errors.ts'

/**
 * Throws unless the person is an owner of the project. Call only after `lockProject`, because the person may have been
 * removed or lost the role since the request was checked.
 */
export async function requireOwner(db: Db, projectId: number, personId: string): Promise<void> {
  const where = { projectId_personId: { projectId, personId } }
  const held = await db.membership.findUnique({ where, select: { role: true } })
  if (held?.role !== 'owner') throw onlyOwners()
}

export const onlyOwners = () =>
  new StoreError('insufficient_scope', 'Only an owner of the project or the operator may do this.')
