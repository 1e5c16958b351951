/** The longest time that a timer accepts. Node.js warns of longer and of negative times. */
const longestMs = 2 ** 31 - 1

export type Deadline = { leftMs(): number }

export function startDeadline(ms: number): Deadline {
  const end = performance.now() + ms
  return { leftMs: () => end - performance.now() }
}

/** Waits, or throws the signal's reason as soon as it is aborted. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await withTimer(ms, signal, ended => new Promise(resolve => ended.addEventListener('abort', resolve)))
  signal?.throwIfAborted()
}

/** Runs `act` with a signal that aborts when the time is over or the caller's signal aborts. */
export async function withTimer<Done>(
  ms: number,
  signal: AbortSignal | undefined,
  act: (ended: AbortSignal) => Promise<Done>,
): Promise<Done> {
  signal?.throwIfAborted()
  const ending = new AbortController()
  const end = () => ending.abort(signal?.reason)
  const timer = setTimeout(end, Math.max(0, Math.min(ms, longestMs)))
  signal?.addEventListener('abort', end)
  try {
    return await act(ending.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}

/** Runs an act that cannot be stopped. Rejects with the signal's reason if the signal aborts first. */
export async function unlessAborted<Done>(
  act: () => Promise<Done>,
  signal: AbortSignal | undefined,
): Promise<Done> {
  signal?.throwIfAborted()
  let end = () => {}
  const aborted = new Promise<never>((_, reject) => {
    end = () => reject(signal?.reason)
  })
  signal?.addEventListener('abort', end)
  return Promise.race([act(), aborted]).finally(() => signal?.removeEventListener('abort', end))
}
