import { useEffect } from 'react'
import { useRouter } from './router.tsx'

/** Calls `open` if the address asks for this act (`?do=add`), as a link or the palette does. */
export function useActAsked(act: string, open: () => void): void {
  const { query, ask } = useRouter()
  const isAsked = query.get('do') === act
  useEffect(() => {
    if (!isAsked) return
    ask({ do: null }, 'replace')
    open()
  }, [isAsked])
}
