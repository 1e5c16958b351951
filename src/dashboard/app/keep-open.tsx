import { createContext, Fragment, type ReactNode, use, useState } from 'react'

/** Opens a dialog that `make` returns for a function that closes it; null closes all. */
export type KeepOpen = (make: ((close: () => void) => ReactNode) | null) => void
type Kept = { number: number; shown: ReactNode }

const KeepOpenContext = createContext<KeepOpen>(() => {})

/** For a dialog with something that is not shown again: it outlives its page, and the session that opened it. */
export const useKeepOpen = () => use(KeepOpenContext)

let numbers = 0

export function KeptOpen({ children }: { children: ReactNode }) {
  const [kept, setKept] = useState<readonly Kept[]>([])
  const [keepOpen] = useState(
    (): KeepOpen => make => {
      if (make === null) return setKept([])
      const number = ++numbers
      const close = () => setKept(before => before.filter(other => other.number !== number))
      setKept(before => [...before, { number, shown: make(close) }])
    },
  )
  return (
    <KeepOpenContext value={keepOpen}>
      {children}
      {kept.map(({ number, shown }) => (
        <Fragment key={number}>{shown}</Fragment>
      ))}
    </KeepOpenContext>
  )
}
