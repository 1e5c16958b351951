import type { Db } from './db.ts'

/** Takes turns within a project, so that what is counted or judged still holds when it is written. */
export async function lockProject(db: Db, projectId: number): Promise<void> {
  await db.$queryRaw`SELECT 1 FROM projects WHERE id = ${projectId} FOR UPDATE`
}
