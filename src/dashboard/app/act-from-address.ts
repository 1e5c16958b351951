import { useEffect } from 'react'
import { useRouter } from './router.tsx'

/** Calls `open` if the URL requests this act (`?do=add`). Links and the palette open such URLs. */
export function useActFromAddress(act: string, open: () => void): void {
  const { query, ask } = useRouter()
  const isRequested = query.get('do') === act
  useEffect(() => {
    if (!isRequested) return
    ask({ do: null }, 'replace')
    open()
  }, [isRequested])
}
