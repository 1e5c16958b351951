/**
 * Runs `act` with a signal that a request to stop aborts, so that `act` can tidy up and print how to continue. Only a
 * second Ctrl-C ends the process at once. The others may come several times: a service manager, a timeout and the end of
 * a terminal also signal bin.js, which forwards the signal.
 */
export async function stoppable<Result>(act: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  process.once('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  process.on('SIGHUP', onSignal)
  try {
    return await act(stop.signal)
  } finally {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, onSignal)
  }
}
