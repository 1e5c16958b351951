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
}

export function openEvents(changes: Pick<Changes, 'follow'>): Events {
  const listeners = new Map<number, Set<() => void>>()
  const call = (projectId: number) => {
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
  }
}
