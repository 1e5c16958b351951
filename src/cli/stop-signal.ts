/** Runs `act` with a signal that Ctrl-C aborts, so that `act` can print how to continue. */
export async function stoppable<Result>(act: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  process.once('SIGINT', onSignal)
  try {
    return await act(stop.signal)
  } finally {
    process.off('SIGINT', onSignal)
  }
}
