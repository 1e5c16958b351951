let aheadMs = 0

/** The reader's clock may be wrong, so take the time from the Date header of each answer. */
export function setClockBy(answer: Response): void {
  const date = Date.parse(answer.headers.get('date') ?? '')
  if (Number.isNaN(date)) return
  const difference = date + 500 - Date.now()
  aheadMs = Math.abs(difference) < 3000 ? 0 : difference
}

/**
 * Formats a date as the store expects it. A date outside JavaScript's range stays as typed, so that the store refuses
 * it.
 */
export const isoOf = (date: Date, typed: string) =>
  Number.isNaN(date.getTime()) ? typed : date.toISOString()

export const now = () => Date.now() + aheadMs
