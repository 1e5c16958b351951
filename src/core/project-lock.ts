import type { PrismaClient } from '../generated/prisma/client.ts'
import { manage } from './acts.ts'
import type { Db } from './db.ts'
import { openProjectTurns } from './project-turns.ts'

/**
 * Locks a project against other changes, so that a count or check still holds when the change is written. Does not
 * block the creation of pets, because one statement creates pets of several projects, and blocking it would delay all
 * these projects. SQL, because Prisma cannot lock a row without changing it.
 */
export async function lockProject(db: Db, projectId: number): Promise<void> {
  await db.$queryRaw`SELECT 1 FROM projects WHERE id = ${projectId} FOR NO KEY UPDATE`
}

const changes = openProjectTurns(1)

/**
 * Changes a project under its lock. Changes of one project in one process wait for each other before they take a
 * connection. Otherwise each of them would hold a connection until the lock is free.
 */
export const changeProject = <Result>(
  db: PrismaClient,
  projectId: number,
  change: (tx: Db) => Promise<Result>,
): Promise<Result> =>
  changes(db, projectId, () =>
    manage(db, async tx => {
      await lockProject(tx, projectId)
      return change(tx)
    }),
  )
