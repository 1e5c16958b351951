import type { Db } from '../db.ts'

/**
 * Locks a project against other changes, so that a count or check still holds when the change is written. Does not
 * block new pets: one statement creates pets of several projects and would delay all of them. SQL, because Prisma
 * cannot lock a row without changing it.
 */
export async function lockProject(db: Db, projectId: number): Promise<void> {
  await db.$queryRaw`SELECT 1 FROM projects WHERE id = ${projectId} FOR NO KEY UPDATE`
}
