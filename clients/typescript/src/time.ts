/** The most that a timer takes; a longer one would end at once. */
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

/** Does something whose signal is aborted when the time is over, or when the caller's own signal is. */
export async function withTimer<Done>(
  ms: number,
  signal: AbortSignal | undefined,
  act: (ended: AbortSignal) => Promise<Done>,
): Promise<Done> {
  signal?.throwIfAborted()
  const ending = new AbortController()
  const end = () => ending.abort(signal?.reason)
  const timer = setTimeout(end, Math.min(ms, longestMs))
  signal?.addEventListener('abort', end)
  try {
    return await act(ending.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}

/**
 * Runs an act that no signal can stop. Rejects with the signal's reason if the signal is aborted before the act ends.
 */
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
