import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { othersBeganAt } from './owner.ts'
import { openShares } from './shares.ts'

/** In milliseconds, as all times here. */
const recentMs = 250
const restsOfAPiece = 2
const longestRestMs = 100

/** True if a request of another project began a moment ago. */
export const othersAreAtWork = (owner: number): boolean =>
  performance.now() - othersBeganAt(owner) <= recentMs

const inTurn = openShares(Number.POSITIVE_INFINITY, 1)

/**
 * Runs a piece of a project's long work, such as an import. While other projects are at work, rests after it for twice
 * as long as the piece took, so that the work takes at most a third of a core from them.
 */
export async function runPiece<Result>(owner: number, run: () => Promise<Result>): Promise<Result> {
  const beganAt = performance.now()
  const result = await run()
  const tookMs = performance.now() - beganAt
  if (othersAreAtWork(owner)) await pause(Math.min(restsOfAPiece * tookMs, longestRestMs))
  // The embedded database does not yield to the event loop.
  else await nextTurn()
  return result
}

/**
 * Runs one such piece of a project at a time, for example of its exports. Not for a piece inside a transaction: it would
 * keep its connection while it waits, and the piece before it may wait for that connection.
 */
export const runPieceInTurn = <Result>(owner: number, run: () => Promise<Result>): Promise<Result> =>
  inTurn(owner, () => runPiece(owner, run))
