/** Runs so many at once; who comes meanwhile waits for a turn, in the order of coming. */
export function someAtATime(most: number): <Result>(run: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let free = most

  return async run => {
    if (free > 0) free--
    else await new Promise<void>(go => waiting.push(go))
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
