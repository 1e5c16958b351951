import type { PrismaClient } from '../generated/prisma/client.ts'
import { openQueues, type Queues } from '../tools/queues.ts'

/**
 * Runs a task of a project. If `most` tasks of the project already run on the same database, first waits until one of
 * these tasks ends. `most` is the argument of `openProjectTurns`.
 */
export type ProjectTurns = <Result>(
  db: PrismaClient,
  projectId: number,
  task: () => Promise<Result>,
) => Promise<Result>

/**
 * Limits the concurrent tasks of each project in this process. A task that waits here uses no database connection and
 * no socket, so a project with a thousand requests leaves connections and sockets to the other projects.
 */
export function openProjectTurns(most: number): ProjectTurns {
  const databases = new WeakMap<PrismaClient, Queues<number>>()

  return async (db, projectId, task) => {
    const queues = databases.get(db) ?? openQueues()
    databases.set(db, queues)
    await new Promise<void>(go => queues.ask(projectId, most, go))
    try {
      return await task()
    } finally {
      queues.end(projectId)
    }
  }
}
