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
