import { useRef } from 'react'
import type { Scope } from '../../../generated/contract.ts'
import { useEvents } from '../../app/event-stream.ts'
import { askAgain } from '../../app/live.ts'

/** The shortest time between two queries of the page, because a script may change one pet many times a second. */
const pauseMs = 3_000

/**
 * Runs the queries of the page again after each event that the filter selects. The store writes an event a moment
 * after the answer to the change.
 */
export function useChanges(scope: Scope, filter: string): void {
  const onEvent = useSeldom(askAgain, pauseMs)
  useEvents(scope, filter, { onOpen: askAgain, onEvent })
}

/** Returns a function that runs `act` soon, but at most once in `ms`. */
function useSeldom(act: () => void, ms: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const last = useRef(0)
  return () => {
    timer.current ??= setTimeout(
      () => {
        timer.current = null
        last.current = performance.now()
        act()
      },
      Math.max(0, last.current + ms - performance.now()),
    )
  }
}
