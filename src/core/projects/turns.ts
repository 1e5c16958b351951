import type { PrismaClient } from '../../generated/prisma/client.ts'

/** Runs the task of a project when fewer than `most` other tasks of the project run on this database. */
export type ProjectTurns = <Result>(
  db: PrismaClient,
  projectId: number,
  task: () => Promise<Result>,
) => Promise<Result>

type Project = { running: number; waiting: (() => void)[] }

/**
 * Bounds the tasks of each project in this process. A task that waits here holds no connection to the database and no
 * socket, so one project's thousand requests leave both to the others.
 */
export function openProjectTurns(most: number): ProjectTurns {
  const databases = new WeakMap<PrismaClient, Map<number, Project>>()

  return async (db, projectId, task) => {
    const projects = databases.get(db) ?? new Map<number, Project>()
    databases.set(db, projects)
    const project = projects.get(projectId) ?? { running: 0, waiting: [] }
    projects.set(projectId, project)
    if (project.running >= most) await new Promise<void>(resolve => project.waiting.push(resolve))
    else project.running++
    try {
      return await task()
    } finally {
      const next = project.waiting.shift()
      // The next task takes this place over.
      if (next) next()
      else if (--project.running === 0) projects.delete(projectId)
    }
  }
}
