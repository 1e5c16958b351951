import type { Db } from '../db.ts'

/**
 * Takes turns within a project, so that what is counted or judged still holds when it is written. Pets may come in meanwhile:
 * what waits for this lock would keep those of other projects waiting that share its statement.
 */
export async function lockProject(db: Db, projectId: number): Promise<void> {
  await db.$queryRaw`SELECT 1 FROM projects WHERE id = ${projectId} FOR NO KEY UPDATE`
}
