import { useSyncExternalStore } from 'react'

let reached = true
const listeners = new Set<() => void>()

/**
 * Records whether the last request reached the store. `navigator.onLine` cannot detect this for a store on the same
 * machine.
 */
export function setReached(now: boolean): void {
  if (now === reached) return
  reached = now
  for (const notify of listeners) notify()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useReached = () => useSyncExternalStore(subscribe, () => reached)
