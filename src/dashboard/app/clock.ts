let aheadMs = 0

/** The reader's clock may be wrong, so take the time from the Date header of each answer. */
export function setClockBy(answer: Response): void {
  const told = Date.parse(answer.headers.get('date') ?? '')
  if (Number.isNaN(told)) return
  const difference = told + 500 - Date.now()
  aheadMs = Math.abs(difference) < 3000 ? 0 : difference
}

export const now = () => Date.now() + aheadMs
