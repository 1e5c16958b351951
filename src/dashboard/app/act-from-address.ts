import { useEffect } from 'react'
import { useRouter } from './router.tsx'

/** Calls `open` if the address asks for this act (`?do=add`), as a link or the palette does. */
export function useActFromAddress(act: string, open: () => void): void {
  const { query, ask } = useRouter()
  const isRequested = query.get('do') === act
  useEffect(() => {
    if (!isRequested) return
    ask({ do: null }, 'replace')
    open()
  }, [isRequested])
}
