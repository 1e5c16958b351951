/** Runs a long act with a signal that Ctrl-C aborts, so that the act can say how to continue. */
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
