import { peakMegabytes } from './account.ts'
import type { Request } from './clients.ts'
import type { Running } from './start-contestant.ts'

const lineFeed = 10

/** Reads `lines` lines of an answer and disconnects. */
export async function download(
  contestant: Running,
  { method, path, headers }: Request,
  lines: number,
): Promise<{ seconds: number; peakMegabytes: number }> {
  const startedAt = performance.now()
  const answer = await fetch(`http://127.0.0.1:${contestant.port}${path}`, { method, headers })
  let read = 0
  for await (const bytes of answer.body ?? []) {
    for (const byte of bytes) if (byte === lineFeed) read++
    if (read >= lines) break
  }
  if (read < lines) throw new Error(`${contestant.name} gave ${read} lines of ${lines}.`)
  return {
    seconds: (performance.now() - startedAt) / 1000,
    peakMegabytes: peakMegabytes(contestant.pid),
  }
}
