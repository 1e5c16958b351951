import type { Changes } from '../../database/changes.ts'

/**
 * Notifies listeners when their project has new events. Each process does this within 250 ms after the events were
 * numbered.
 */
export type Events = {
  /**
   * Calls the listener when the project may have new events; `readEvents` then reads them. Returns a function that
   * removes the listener.
   */
  follow(projectId: number, listener: () => void): () => void
  /**
   * Runs `read`, or returns the result of the same read of the project that another stream has just begun. So a new
   * event costs one statement, however many streams of the project are open. A read that began before the last
   * notification is not shared, because it may miss the new events.
   */
  share<T>(projectId: number, name: string, read: () => Promise<T>): Promise<T>
}

export function openEvents(changes: Pick<Changes, 'follow'>): Events {
  const listeners = new Map<number, Set<() => void>>()
  /** The reads that have begun since the last notification, by project and name. */
  const reads = new Map<number, Map<string, Promise<unknown>>>()
  const call = (projectId: number) => {
    reads.delete(projectId)
    for (const listener of listeners.get(projectId) ?? []) listener()
  }

  changes.follow(change => {
    if (change === null) for (const projectId of listeners.keys()) call(projectId)
    else if (change.what === 'events' && change.projectId !== null) call(change.projectId)
  })

  return {
    follow(projectId, listener) {
      const ofProject = listeners.get(projectId) ?? new Set()
      listeners.set(projectId, ofProject.add(listener))
      return () => {
        if (ofProject.delete(listener) && ofProject.size === 0) listeners.delete(projectId)
      }
    },
    share<T>(projectId: number, name: string, read: () => Promise<T>) {
      const ofProject = reads.get(projectId) ?? new Map<string, Promise<unknown>>()
      const begun = ofProject.get(name)
      if (begun) return begun as Promise<T>
      const reading = read().finally(() => {
        ofProject.delete(name)
        if (ofProject.size === 0 && reads.get(projectId) === ofProject) reads.delete(projectId)
      })
      reads.set(projectId, ofProject.set(name, reading))
      return reading
    },
  }
}
