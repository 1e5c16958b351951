const reportEveryMs = 200
const lineFeed = 10

/** Reads an export to its end, and calls `report` from time to time with the number of lines received. */
export async function readExport(answer: Response, report: (lines: number) => void): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let lines = 0
  let reportedAt = 0
  const reader = answer.body?.getReader()
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    pieces.push(next.value)
    for (let at = next.value.indexOf(lineFeed); at >= 0; at = next.value.indexOf(lineFeed, at + 1)) lines++
    if (performance.now() - reportedAt < reportEveryMs) continue
    reportedAt = performance.now()
    report(lines)
  }
  return new Blob(pieces, { type: answer.headers.get('Content-Type') ?? '' })
}

const number = (value: number) => value.toLocaleString('en')

/** Returns `20,000 of 80,000 pets, 4,000 a second, 15 s left`, without the unknown parts. */
export function exportProgress(pets: number, total: number | null, elapsedMs: number): string {
  const perSecond = pets / (elapsedMs / 1000)
  const isPaced = elapsedMs >= 1000 && pets > 0
  const seconds = total === null ? 0 : Math.ceil((total - pets) / perSecond)
  const left = seconds < 120 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`
  return [
    `${number(pets)}${total === null ? '' : ` of ${number(total)}`} pets`,
    ...(isPaced ? [`${number(Math.round(perSecond))} a second`] : []),
    ...(isPaced && seconds > 0 ? [left] : []),
  ].join(', ')
}
