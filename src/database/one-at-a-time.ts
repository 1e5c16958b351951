/** Runs one at a time: who asks while one is under way shares the next, which begins when that one has ended. */
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
    /** When nothing is under way any more. */
    async idle(): Promise<void> {
      await (next ?? current)?.catch(() => {})
    },
  }
}
