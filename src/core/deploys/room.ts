import { actFromHereAs } from '../acts.ts'
import type { Db } from '../db.ts'

/** A project keeps at least this many of its newest deploys. */
export const mostDeploys = 1_000
/** Removes many deploys at once, so that only every hundredth deploy of a project with very many waits for this. */
const removedAtOnce = 100

/**
 * Removes the oldest deploys of a project that has too many, but not the one in service. Call this function at the end
 * of a transaction that has locked the project, because the audit log then names the system as the actor.
 */
export async function removeOldDeploys(tx: Db, projectId: number): Promise<void> {
  if ((await tx.deploy.count({ where: { projectId } })) < mostDeploys + removedAtOnce) return
  await actFromHereAs(tx, { type: 'system', name: 'old deploys' })
  await tx.$executeRaw`
    DELETE FROM deploys WHERE id IN (
      SELECT id FROM deploys
      WHERE project_id = ${projectId}
        AND id <> coalesce((SELECT max(id) FROM deploys WHERE project_id = ${projectId} AND succeeded), 0)
      ORDER BY id LIMIT ${removedAtOnce})`
}
