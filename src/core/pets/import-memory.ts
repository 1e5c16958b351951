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
        if ((taken.get(project.id) ?? 0) > most.ofProject) throw tooMany('rate_limited', ' of this project')
        if (takenByAll > most.ofAll) throw tooMany('unavailable')
      },
      free() {
        isFree = true
        take(project, -mine)
        mine = 0
      },
    }
  }
}

/**
 * A project that fills its own limit gets a 429 and not a 503: a 503 refunds the charge, so the project could make the
 * service read imports again and again at no cost.
 */
function tooMany(code: 'rate_limited' | 'unavailable', ofProject = ''): StoreError {
  const message = `Too many imports${ofProject} are being read; try again in a moment.`
  return new StoreError(code, message, { retryAfterSeconds: 1 })
}
