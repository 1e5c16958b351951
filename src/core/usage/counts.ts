export const doors = ['rest', 'graphql', 'mcp'] as const
export type Door = (typeof doors)[number]

/**
 * Result of a request. 'refused': by a limit or ban. 'faulty': 4xx, an error of the client. 'failed': 5xx, an error of
 * the store.
 */
export type Outcome = 'served' | 'refused' | 'faulty' | 'failed'

/** `requests` counts answered requests, including faulty and failed ones, but not refusals. */
export type Counts = { requests: number; refusals: number; faulty: number; failed: number }

export const noCounts = (): Counts => ({ requests: 0, refusals: 0, faulty: 0, failed: 0 })

/** A refused request counts as one refusal, whatever it would have cost. */
export function addOutcome(counts: Counts, outcome: Outcome, points: number): void {
  if (outcome === 'refused') return void counts.refusals++
  counts.requests += points
  if (outcome === 'faulty') counts.faulty += points
  else if (outcome === 'failed') counts.failed += points
}

export function addCounts(sum: Counts, more: Counts): void {
  sum.requests += more.requests
  sum.refusals += more.refusals
  sum.faulty += more.faulty
  sum.failed += more.failed
}
