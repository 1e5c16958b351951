import { useState } from 'react'

/**
 * The dialog of a page: what is being done in it, or null. Each `close` closes only the dialog it was made for, because a
 * form may get its answer after the reader has closed it and opened another one.
 */
export function useDialog<Doing>(): [doing: Doing | null, open: (doing: Doing) => void, close: () => void] {
  const [opened, setOpened] = useState<{ doing: Doing } | null>(null)
  const close = () => setOpened(now => (now === opened ? null : now))
  return [opened?.doing ?? null, doing => setOpened({ doing }), close]
}
