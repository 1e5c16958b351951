/**
 * The lowest of several measurements, because other work on the machine can only raise them. Stops at the first that
 * is below `bound`.
 */
export async function lowestOf(
  tries: number,
  bound: number,
  measure: (n: number) => Promise<number>,
): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY
  for (let n = 1; n <= tries && lowest >= bound; n++) lowest = Math.min(lowest, await measure(n))
  return lowest
}
