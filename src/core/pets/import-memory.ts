import { StoreError } from '../errors.ts'
import type { Project } from '../project.ts'

/**
 * The most bytes that imports in progress may hold in memory: the imports of one project, and all imports together. The
 * limits are needed because a slow upload occupies memory until its last byte has come.
 */
const mostBytes = { ofProject: 30_000_000, ofAll: 120_000_000 }

/** One import's share of the memory. */
export type Place = { take(bytes: number): void; free(): void }

/** Limits the memory of imports in progress, per project and in total. */
export function openImportRoom(most = mostBytes): (project: Project) => Place {
  const taken = new Map<number, number>()
  let takenByAll = 0

  function take({ id }: Project, bytes: number): void {
    takenByAll += bytes
    const ofProject = (taken.get(id) ?? 0) + bytes
    if (ofProject > 0) taken.set(id, ofProject)
    else taken.delete(id)
  }

  return project => {
    let mine = 0
    let isFree = false
    return {
      take(bytes) {
        if (isFree) return
        take(project, bytes)
        mine += bytes
        if (takenByAll <= most.ofAll && (taken.get(project.id) ?? 0) <= most.ofProject) return
        throw new StoreError('unavailable', 'Too many imports are being read; try again in a moment.', {
          retryAfterSeconds: 1,
        })
      },
      free() {
        isFree = true
        take(project, -mine)
        mine = 0
      },
    }
  }
}
