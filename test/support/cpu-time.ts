/** The number of rounds in which the same work is measured. The fastest round counts. */
const rounds = 3
/** In microseconds: a round repeats its work this long, so that the clock's resolution does not matter. */
const leastRoundMicros = 1_000

/** Returns the CPU time of one call in microseconds, for all threads of this process. */
export async function cpuMicros(run: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const begin = process.cpuUsage()
    let calls = 0
    let micros = 0
    while (micros < leastRoundMicros) {
      await run()
      calls++
      const { user, system } = process.cpuUsage(begin)
      micros = user + system
    }
    least = Math.min(least, micros / calls)
    // Measure a slow call only once: more calls would only slow the suite down.
    if (micros > 1_000_000) break
  }
  return least
}
