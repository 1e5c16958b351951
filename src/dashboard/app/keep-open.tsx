import { createContext, Fragment, type ReactNode, use, useState } from 'react'

/**
 * Opens the dialog that `make` returns, and passes to `make` a function that closes this dialog. If `make` is null,
 * closes all dialogs opened in this way.
 */
export type KeepOpen = (make: ((close: () => void) => ReactNode) | null) => void
type Kept = { number: number; shown: ReactNode }

const KeepOpenContext = createContext<KeepOpen>(() => {})

/**
 * Returns the function that opens a dialog whose content is shown only once, for example a new secret. The dialog stays
 * open even after the reader leaves the page or the session ends. So the dialog is outside of their contexts, and
 * `useRouter` and `useAnnounce` do nothing in it: pass what the dialog needs.
 */
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
