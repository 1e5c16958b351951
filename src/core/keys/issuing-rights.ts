import type { Db } from '../db.ts'
import { StoreError } from '../errors.ts'
import { type Caller, type CallingPerson, requireScope } from './caller.ts'
import { scopesOfRole } from './roles.ts'

/**
 * Returns the caller with the rights that it has now. Throws if the caller may issue no key. Call only after
 * `lockProject`, because since the request was admitted, the member may have been removed or lost the role, or the
 * calling key may have ended.
 */
export async function readIssuer(tx: Db, now: Date, by: Caller): Promise<Caller> {
  const current = by.person ? await readMember(tx, by, by.person) : await readKey(tx, now, by)
  if (!current) throw new StoreError('unauthorized', 'The API key or access token has ended.')
  requireScope(current, 'project:write')
  return current
}

async function readMember(tx: Db, by: Caller, person: CallingPerson): Promise<Caller | null> {
  const where = { projectId_personId: { projectId: by.project.id, personId: person.id } }
  const held = await tx.membership.findUnique({ where, select: { role: true } })
  if (!held) return null
  const { role } = held
  return { ...by, key: { ...by.key, scopes: scopesOfRole[role] }, person: { ...person, role } }
}

/** Returns the caller unchanged if the key still works, because the scopes of a key never change. */
async function readKey(tx: Db, now: Date, by: Caller): Promise<Caller | null> {
  const working = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }
  return (await tx.apiKey.count({ where: { id: by.key.id, ...working } })) > 0 ? by : null
}
