import { expect, it } from 'vitest'
import { forgetIdempotencyKeys } from '../../src/jobs/forget-idempotency-keys.ts'
import { movableClock } from '../support/clock.ts'

/** Runs the job. `deletePiece` replaces the job's statement, and returns the number of deleted rows. */
const run = (deletePiece: () => number, signal: AbortSignal) =>
  forgetIdempotencyKeys({ $executeRaw: async () => deletePiece() } as never, movableClock()).run(null, signal)

it('expired idempotency keys are deleted in batches, until a batch is not full', async () => {
  const pieces = [10_000, 10_000, 3, 0]

  await run(() => pieces.shift() ?? 0, new AbortController().signal)

  expect(pieces).toEqual([0])
})

it('the deletion of expired idempotency keys stops with the service, after the current batch', async () => {
  const closing = new AbortController()
  const pieces = [10_000, 10_000]

  await run(() => {
    closing.abort()
    return pieces.shift() ?? 0
  }, closing.signal)

  expect(pieces).toEqual([10_000])
})
