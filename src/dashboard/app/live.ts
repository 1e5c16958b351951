import { useEffect } from 'react'
import {
  type AnyVariables,
  createRequest,
  type UseQueryArgs,
  type UseQueryExecute,
  type UseQueryState,
} from 'urql'
import { useQuery, type Whole } from './operations.ts'
import { useReached } from './reached.ts'

const asking = new EventTarget()
const whileUnreachedMs = 10_000

/** `isEarlier`: `data` belongs to earlier variables, because there is no answer yet for the present ones. */
type Live<Data, Variables extends AnyVariables> = [
  UseQueryState<Whole<Data>, Variables> & { isEarlier: boolean },
  UseQueryExecute,
]

/** Runs the queries of `useLiveQuery` on the open page again. */
export const askAgain = () => asking.dispatchEvent(new Event('ask'))

/**
 * A query that runs again when the tab becomes visible or the network changes. The query also runs periodically while
 * the store is unreachable, or at the interval that `pending` returns.
 */
export function useLiveQuery<Data, Variables extends AnyVariables>(
  args: UseQueryArgs<Variables, Data>,
  pending: (data: Whole<Data>) => number | null = () => null,
): Live<Data, Variables> {
  const [result, ask] = useQuery(args)
  const reached = useReached()
  const pendingMs = result.data && !result.error ? pending(result.data) : null
  const everyMs = reached ? pendingMs : whileUnreachedMs
  const isUnanswered = result.error?.networkError !== undefined

  useEffect(() => {
    if (args.pause) return
    const again = () => {
      if (document.visibilityState === 'visible') ask({ requestPolicy: 'network-only' })
    }
    addEventListener('online', again)
    addEventListener('offline', again)
    asking.addEventListener('ask', again)
    document.addEventListener('visibilitychange', again)
    const timer = everyMs === null ? undefined : setInterval(again, everyMs)
    return () => {
      removeEventListener('online', again)
      removeEventListener('offline', again)
      asking.removeEventListener('ask', again)
      document.removeEventListener('visibilitychange', again)
      clearInterval(timer)
    }
  }, [ask, everyMs, args.pause])

  // If the query got no answer, repeat the query when the store can be reached again. This effect runs only when
  // `reached` changes, so a query that fails while the store can be reached is not repeated.
  useEffect(() => {
    if (reached && isUnanswered && !args.pause) ask({ requestPolicy: 'network-only' })
  }, [reached])
  const { key } = createRequest(args.query, args.variables)
  return [{ ...result, isEarlier: result.operation !== undefined && result.operation.key !== key }, ask]
}
