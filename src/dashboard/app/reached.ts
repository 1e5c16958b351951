import { useSyncExternalStore } from 'react'

let reached = true
const listeners = new Set<() => void>()

/** Whether the last request found the store. What the browser believes of the network says nothing of a store on the same machine. */
export function setReached(now: boolean): void {
  if (now === reached) return
  reached = now
  for (const tell of listeners) tell()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useReached = () => useSyncExternalStore(subscribe, () => reached)
