/** Ctrl-C, a service manager or a timeout, and the end of the terminal. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs `act` with a signal that a request to stop aborts, so that `act` can tidy up and print how to continue. */
export async function stoppable<Result>(act: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  for (const name of stopSignals) process.once(name, onSignal)
  try {
    return await act(stop.signal)
  } finally {
    for (const name of stopSignals) process.off(name, onSignal)
  }
}
