import { useEffect } from 'react'
import type { AnyVariables, UseQueryArgs, UseQueryResponse } from 'urql'
import { useQuery, type Whole } from './operations.ts'

/** A query that is asked again when the tab is looked at anew or the network is back, and meanwhile only while `pending` says so. */
export function useLiveQuery<Data, Variables extends AnyVariables>(
  args: UseQueryArgs<Variables, Data>,
  pending: (data: Whole<Data>) => number | null = () => null,
): UseQueryResponse<Whole<Data>, Variables> {
  const [result, ask] = useQuery(args)
  const everyMs = result.data && !result.error ? pending(result.data) : null

  useEffect(() => {
    if (args.pause) return
    const again = () => {
      if (document.visibilityState === 'visible' && navigator.onLine) ask({ requestPolicy: 'network-only' })
    }
    addEventListener('online', again)
    document.addEventListener('visibilitychange', again)
    const timer = everyMs === null ? undefined : setInterval(again, everyMs)
    return () => {
      removeEventListener('online', again)
      document.removeEventListener('visibilitychange', again)
      clearInterval(timer)
    }
  }, [ask, everyMs, args.pause])
  return [result, ask]
}
