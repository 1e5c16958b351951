import { useSyncExternalStore } from 'react'

/** Where the style sheets leave the columns called `wide` out. */
const narrow = matchMedia('(max-width: 560px)')

function subscribe(listener: () => void) {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

export const useNarrow = () => useSyncExternalStore(subscribe, () => narrow.matches)
