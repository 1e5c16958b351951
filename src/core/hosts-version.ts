import type { Db } from './db.ts'

/**
 * Says that what is served on hosts has changed. Called in the transaction of the change: the row's lock puts the
 * changes in order, so that whoever reads the hosts after seeing a version sees all that led to it.
 */
export async function countHostsChange(db: Db): Promise<number> {
  const row = await db.hostsVersion.upsert({
    where: { id: 1 },
    create: { version: 1 },
    update: { version: { increment: 1 } },
  })
  return row.version
}

/** Takes turns within a project, so that what is counted or judged still holds when it is written. */
export async function lockProject(db: Db, projectId: number): Promise<void> {
  await db.$queryRaw`SELECT 1 FROM projects WHERE id = ${projectId} FOR UPDATE`
}
