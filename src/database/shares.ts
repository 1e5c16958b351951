/** Runs `most` tasks at a time, at most `mostOfOne` of one owner. Owners with waiting tasks take turns. */
export function openShares(most: number, mostOfOne: number) {
  const held = new Map<number, number>()
  /** Waiting tasks by owner, in the order of the owners' turns. */
  const waiting = new Map<number, (() => void)[]>()
  let free = most

  const mayBegin = (owner: number) => free > 0 && (held.get(owner) ?? 0) < mostOfOne

  function begin(owner: number): void {
    free--
    held.set(owner, (held.get(owner) ?? 0) + 1)
  }

  function end(owner: number): void {
    free++
    const left = (held.get(owner) ?? 1) - 1
    if (left > 0) held.set(owner, left)
    else held.delete(owner)
    beginWaiting()
  }

  function beginWaiting(): void {
    for (const [owner, queue] of waiting) {
      if (!mayBegin(owner)) continue
      const [go, ...others] = queue
      waiting.delete(owner)
      // Moves this owner behind all the others.
      if (others.length > 0) waiting.set(owner, others)
      begin(owner)
      go?.()
    }
  }

  return async <Result>(owner: number, run: () => Promise<Result>): Promise<Result> => {
    if (mayBegin(owner)) begin(owner)
    else await new Promise<void>(go => waiting.set(owner, [...(waiting.get(owner) ?? []), go]))
    try {
      return await run()
    } finally {
      end(owner)
    }
  }
}
