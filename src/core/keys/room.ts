import { actFromHereAs } from '../acts.ts'
import type { Db } from '../db.ts'
import { StoreError } from '../errors.ts'
import { mostSearched } from '../searches.ts'

/** The most active keys of a project. A rotated key is not active; its successor is. */
export const mostActive = 1_000
/** The most keys of a project, also those that have ended, because each search and each sorted list reads all of them. */
export const mostStored = mostSearched
/** Removes many keys at once, so that only every hundredth new key of a project with very many keys waits for this. */
const removedAtOnce = 100

/**
 * Throws if the project already has `mostActive` active keys. Call this function in the transaction that adds the key,
 * after the transaction has locked the project.
 */
export async function requireRoomForKey(tx: Db, now: Date, projectId: number): Promise<void> {
  const active = { revokedAt: null, successorId: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }
  if ((await tx.apiKey.count({ where: { projectId, ...active } })) < mostActive) return
  throw tooManyKeys(`A project has at most ${numberOf(mostActive)} active API keys; revoke one first.`)
}

/**
 * If the project has too many keys, removes the keys that ended first. Call this function at the end of a transaction
 * that has locked the project and added a key, because the audit log then names the system as the actor.
 */
export async function removeEndedKeys(tx: Db, now: Date, projectId: number): Promise<void> {
  if ((await tx.apiKey.count({ where: { projectId } })) <= mostStored) return
  await actFromHereAs(tx, { type: 'system', name: 'old keys' })
  // Keep the keys of terminals: when a person is deleted, these keys lead to the person's name in the audit log. Keep a
  // key while its predecessor exists, which refers to it. SQL, because Prisma cannot sort by the earlier of two columns.
  const removed = await tx.$executeRaw`
    DELETE FROM api_keys WHERE id IN (
      SELECT id FROM api_keys AS ended
      WHERE project_id = ${projectId} AND machine IS NULL AND least(revoked_at, expires_at) <= ${now}::timestamptz
        AND NOT EXISTS (SELECT FROM api_keys AS older WHERE older.successor_id = ended.id)
      ORDER BY least(revoked_at, expires_at), id LIMIT ${removedAtOnce})`
  if (removed > 0) return
  throw tooManyKeys(
    `A project has at most ${numberOf(mostStored)} API keys, and none of those that have ended can be removed; revoke a key first that no terminal has.`,
  )
}

const tooManyKeys = (message: string) => new StoreError('too_many_api_keys', message)
const numberOf = (count: number) => count.toLocaleString('en')
