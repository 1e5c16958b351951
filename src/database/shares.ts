type Go = () => void

/**
 * Gives out `most` places, at most `mostOf(owner)` to one owner. Waiting owners take turns. `ask` calls its callback `go`
 * when it gives a place; call `end` once to return this place.
 */
export function openFairPlaces(most: number, mostOf: (owner: number) => number) {
  const held = new Map<number, number>()
  /** Waiting calls by owner, in the order of turns. */
  const waiting = new Map<number, Set<Go>>()
  let free = most
  let waitingCount = 0

  const mayBegin = (owner: number) => free > 0 && (held.get(owner) ?? 0) < mostOf(owner)

  function begin(owner: number, go: Go): void {
    free--
    held.set(owner, (held.get(owner) ?? 0) + 1)
    go()
  }

  function leaveQueue(owner: number, go: Go): void {
    const queue = waiting.get(owner)
    if (!queue?.delete(go)) return
    waitingCount--
    if (queue.size === 0) waiting.delete(owner)
  }

  function beginWaiting(): void {
    for (const [owner, queue] of waiting) {
      if (free === 0) return
      const [go] = queue
      if (!go || !mayBegin(owner)) continue
      leaveQueue(owner, go)
      // Move this owner behind all the others.
      if (waiting.delete(owner)) waiting.set(owner, queue)
      begin(owner, go)
    }
  }

  return {
    /** Calls `go` when the owner gets a place, at once if one is free. Returns a function that stops waiting. */
    ask(owner: number, go: Go): () => void {
      if (mayBegin(owner)) {
        begin(owner, go)
        return () => {}
      }
      waiting.set(owner, (waiting.get(owner) ?? new Set()).add(go))
      waitingCount++
      return () => leaveQueue(owner, go)
    },
    end(owner: number): void {
      free++
      const left = (held.get(owner) ?? 1) - 1
      if (left > 0) held.set(owner, left)
      else held.delete(owner)
      beginWaiting()
    },
    isFull: () => free === 0,
    waitingCount: () => waitingCount,
  }
}

/** Runs `most` tasks at a time, at most `mostOfOne` for one owner. Owners with waiting tasks take turns. */
export function openShares(most: number, mostOfOne: number) {
  const places = openFairPlaces(most, () => mostOfOne)

  return async <Result>(owner: number, run: () => Promise<Result>): Promise<Result> => {
    await new Promise<void>(go => places.ask(owner, go))
    try {
      return await run()
    } finally {
      places.end(owner)
    }
  }
}
