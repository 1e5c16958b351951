import { useSyncExternalStore } from 'react'

/** The width below which the style sheets hide columns named `wide`. */
const narrow = matchMedia('(max-width: 560px)')

function subscribe(listener: () => void) {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

export const useNarrow = () => useSyncExternalStore(subscribe, () => narrow.matches)
