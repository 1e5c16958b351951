let aheadMs = 0

/** The reader's own clock may be wrong; each answer of the service says what time it is there, to the second. */
export function setClockBy(answer: Response): void {
  const told = Date.parse(answer.headers.get('date') ?? '')
  if (Number.isNaN(told)) return
  const difference = told + 500 - Date.now()
  aheadMs = Math.abs(difference) < 3000 ? 0 : difference
}

export const now = () => Date.now() + aheadMs
