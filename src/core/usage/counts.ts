export const doors = ['rest', 'graphql'] as const
export type Door = (typeof doors)[number]

/** What became of a request: answered, refused for the limit or a ban, the caller's fault (4xx), the store's own (5xx). */
export type Outcome = 'served' | 'refused' | 'faulty' | 'failed'

/** `requests` were answered, the faulty and failed ones among them; `refusals` were not. */
export type Counts = { requests: number; refusals: number; faulty: number; failed: number }

export const noCounts = (): Counts => ({ requests: 0, refusals: 0, faulty: 0, failed: 0 })

/** A refusal is one, whatever was asked for. */
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
