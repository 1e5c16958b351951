/** Runs `run` at most once at a time. Calls during a run share the next run, which begins after the current one. */
export function oneAtATime(run: () => Promise<void>) {
  let current: Promise<void> | null = null
  let next: Promise<void> | null = null

  function begin(): Promise<void> {
    next = null
    current = run().finally(() => {
      current = null
    })
    return current
  }

  return {
    isUnderWay: () => current !== null,
    ask(): Promise<void> {
      if (!current) return begin()
      next ??= current.then(begin, begin)
      return next
    },
    /** Resolves when no run is in progress or waiting. */
    async idle(): Promise<void> {
      await (next ?? current)?.catch(() => {})
    },
  }
}
