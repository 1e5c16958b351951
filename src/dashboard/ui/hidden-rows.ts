import { useSyncExternalStore } from 'react'

let hidden: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

function change(ids: readonly string[], isHidden: boolean): void {
  const changed = new Set(hidden)
  for (const id of ids)
    if (isHidden) changed.add(id)
    else changed.delete(id)
  hidden = changed
  for (const notify of listeners) notify()
}

/** Hides rows that are deleted when the time for undo ends. Their ids are not used again. */
export const hideRows = (ids: readonly string[]) => change(ids, true)
export const showRows = (ids: readonly string[]) => change(ids, false)
export const isHidden = (id: string) => hidden.has(id)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useHiddenRows = () => useSyncExternalStore(subscribe, () => hidden)
