import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { othersBeganAt } from './owner.ts'
import { openShares } from './shares.ts'

/**
 * In milliseconds. Another project counts as at work if work for it began at most this long ago. `longestRestMs` is in
 * milliseconds too.
 */
const recentMs = 250
const restsOfAPiece = 2
const longestRestMs = 100

/** True if a request of another project began a moment ago. */
export const othersAreAtWork = (owner: number): boolean =>
  performance.now() - othersBeganAt(owner) <= recentMs

const inTurn = openShares(Number.POSITIVE_INFINITY, 1)

/**
 * Runs a piece of a project's long work, such as an import. While other projects are at work, pauses after the piece
 * for twice as long as the piece took, at most 100 ms. So pieces of up to 50 ms use a third of a core. `workedBeforeMs`
 * is the time already spent on this piece.
 */
export async function runPiece<Result>(
  owner: number,
  run: () => Promise<Result>,
  workedBeforeMs = 0,
): Promise<Result> {
  const beganAt = performance.now() - workedBeforeMs
  const result = await run()
  const tookMs = performance.now() - beganAt
  if (othersAreAtWork(owner)) await pause(Math.min(restsOfAPiece * tookMs, longestRestMs))
  // Yield to the event loop, because the embedded database does not.
  else await nextTurn()
  return result
}

/**
 * Like `runPiece`, but runs only one piece of a project at a time: the next piece of the project, for example of a
 * second export, waits. Do not call `runPieceInTurn` inside a transaction: a waiting piece would keep the connection of
 * its transaction, and the running piece may wait for that connection.
 */
export const runPieceInTurn = <Result>(
  owner: number,
  run: () => Promise<Result>,
  workedBeforeMs = 0,
): Promise<Result> => inTurn(owner, () => runPiece(owner, run, workedBeforeMs))

/** In milliseconds. A body of 10 MB must arrive within ten seconds, so reading a body pauses less than other work. */
const workBeforeRest = 5
const longestRestOfReading = 15
/** Reading this many bytes takes a few milliseconds before V8 has optimized the code. */
const partBytes = 16 * 1024

/**
 * Reads a project's long body in parts. While other projects are at work, pauses after 5 ms of work or more, for as
 * long as the work took, at most 15 ms. Returns no promise if there was no pause, because a promise for each part would
 * be slow if every part is a single byte.
 */
export function givingWay(owner: number) {
  let workedMs = 0

  function rest(): Promise<void> | null {
    if (workedMs < workBeforeRest || !othersAreAtWork(owner)) return null
    const restMs = Math.min(workedMs, longestRestOfReading)
    workedMs = 0
    return pause(restMs)
  }

  return function read(piece: Buffer, take: (part: Buffer) => void): Promise<void> | void {
    for (let from = 0; from < piece.length; from += partBytes) {
      const beganAt = performance.now()
      take(piece.subarray(from, from + partBytes))
      workedMs += performance.now() - beganAt
      const resting = rest()
      if (resting) return resting.then(() => read(piece.subarray(from + partBytes), take))
    }
  }
}
