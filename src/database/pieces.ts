import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { othersBeganAt } from './owner.ts'
import { openShares } from './shares.ts'

/** Other projects are at work if a request of theirs began within this time. In milliseconds, as all times here. */
const recentMs = 250
const restsOfAPiece = 2
const longestRestMs = 100

const inTurn = openShares(Number.POSITIVE_INFINITY, 1)

/**
 * Runs a piece of a project's long work, such as an import. While other projects are at work, rests after it for twice
 * as long as the piece took, so that the work takes at most a third of a core from them.
 */
export async function runPiece<Result>(owner: number, run: () => Promise<Result>): Promise<Result> {
  const beganAt = performance.now()
  const result = await run()
  const now = performance.now()
  // The embedded database does not yield to the event loop.
  if (now - othersBeganAt(owner) > recentMs) await nextTurn()
  else await pause(Math.min(restsOfAPiece * (now - beganAt), longestRestMs))
  return result
}

/**
 * Runs one such piece of a project at a time, for example of its exports. Not for a piece inside a transaction: it would
 * keep its connection while it waits, and the piece before it may wait for that connection.
 */
export const runPieceInTurn = <Result>(owner: number, run: () => Promise<Result>): Promise<Result> =>
  inTurn(owner, () => runPiece(owner, run))
