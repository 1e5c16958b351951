import { monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * Starts to measure how long the test process stalls. Returns a function that ends the measurement and returns the
 * longest stall in ms. A test subtracts the longest stall from a time that the test has measured, because a busy
 * machine may stall the process for seconds.
 */
export function watchStalls(): () => number {
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  return () => {
    delays.disable()
    return delays.max / 1e6
  }
}
