let aheadMs = 0

/** The reader's clock may be wrong, so take the time from the Date header of each answer. */
export function setClockBy(answer: Response): void {
  const date = Date.parse(answer.headers.get('date') ?? '')
  if (Number.isNaN(date)) return
  const difference = date + 500 - Date.now()
  aheadMs = Math.abs(difference) < 3000 ? 0 : difference
}

export const now = () => Date.now() + aheadMs
