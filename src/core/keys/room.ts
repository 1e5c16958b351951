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
 * after the transaction has locked the project. If `isFull` is true, call `removeEndedKeys` after adding the key.
 */
export async function requireRoomForKey(tx: Db, now: Date, projectId: number): Promise<{ isFull: boolean }> {
  const [row] = await tx.$queryRaw<{ active: number; stored: number }[]>`
    SELECT count(*)::int AS stored, (count(*) FILTER (
      WHERE revoked_at IS NULL AND successor_id IS NULL AND (expires_at IS NULL OR expires_at > ${now}::timestamptz)
    ))::int AS active
    FROM api_keys WHERE project_id = ${projectId}`
  const { active = 0, stored = 0 } = row ?? {}
  if (active < mostActive) return { isFull: stored >= mostStored }
  throw tooManyKeys(`A project has at most ${numberOf(mostActive)} active API keys; revoke one first.`)
}

/**
 * If the project has too many keys, removes the keys that ended first. Call this function at the end of a transaction
 * that has locked the project and added a key, because the audit log then names the system as the actor.
 */
export async function removeEndedKeys(tx: Db, now: Date, projectId: number): Promise<void> {
  if ((await tx.apiKey.count({ where: { projectId } })) <= mostStored) return
  await actFromHereAs(tx, { type: 'system', name: 'old keys' })
  // Keep a key while its predecessor exists, which refers to it. Keep a terminal's key that another person has rotated:
  // when the first person is deleted, it leads to the name in the keys after it. Forget the names in the entries about
  // other terminals' keys now, because without its key, the deletion of the person finds no entry of the key.
  const [row] = await tx.$queryRaw<{ removed: number }[]>`
    WITH removed AS (
      DELETE FROM api_keys WHERE id IN (
        SELECT id FROM api_keys AS ended
        WHERE project_id = ${projectId} AND least(revoked_at, expires_at) <= ${now}::timestamptz
          AND NOT EXISTS (SELECT FROM api_keys AS older WHERE older.successor_id = ended.id)
          AND (machine IS NULL OR NOT EXISTS (
            SELECT FROM api_keys AS newer
            WHERE newer.id = ended.successor_id AND newer.issued_by IS DISTINCT FROM ended.issued_by))
        ORDER BY least(revoked_at, expires_at), id LIMIT ${removedAtOnce})
      RETURNING id, machine
    ), named AS (
      INSERT INTO names_to_forget (person_id, key_ids)
      SELECT gen_random_uuid(), array_agg(id) FROM removed WHERE machine IS NOT NULL HAVING count(*) > 0
    )
    SELECT count(*)::int AS removed FROM removed`
  if (row && row.removed > 0) return
  throw tooManyKeys(
    `A project has at most ${numberOf(mostStored)} API keys, and none of those that have ended can be removed; revoke a key first.`,
  )
}

const tooManyKeys = (message: string) => new StoreError('too_many_api_keys', message)
const numberOf = (count: number) => count.toLocaleString('en')
