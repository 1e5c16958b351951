import { monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * Returns a function that returns the longest stall of the test process since the call, in ms. Subtract it from a time
 * that the test measures: a busy machine may stall the process for seconds.
 */
export function watchStalls(): () => number {
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  return () => {
    delays.disable()
    return delays.max / 1e6
  }
}
