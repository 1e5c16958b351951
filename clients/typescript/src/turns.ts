import { StoreError } from './errors.ts'
import { type Deadline, withTimer } from './time.ts'

/** Runs at most `most` requests at once. The request that has waited longest is next. */
export function openTurns(most: number) {
  let taken = 0
  const waiting = new Set<() => void>()

  function wait(ended: AbortSignal, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      waiting.add(resolve)
      ended.addEventListener('abort', () => {
        if (!waiting.delete(resolve)) return
        const late = new StoreError('deadline_exceeded', 'The call waited too long behind other calls.')
        reject(signal?.aborted ? signal.reason : late)
      })
    })
  }

  return {
    async take(deadline: Deadline, signal: AbortSignal | undefined): Promise<void> {
      if (taken < most) taken += 1
      else await withTimer(deadline.leftMs(), signal, ended => wait(ended, signal))
    },
    leave(): void {
      const [next] = waiting
      if (next === undefined) {
        taken -= 1
        return
      }
      waiting.delete(next)
      next()
    },
  }
}
