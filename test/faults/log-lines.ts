import type { Running } from '../support/start-process.ts'

const errorLevel = 50
/**
 * Log lines that no fault causes: lines about the projects that this harness creates, and lines about a blocked event
 * loop, which a slow processor core can cause.
 */
const ofNoFault = /^operator: |^a request blocked the event loop/

export type LogLine = { level: number; msg: string; error?: { message?: string } }

/** Collects the processes' log lines from now on, except those of requests. */
export function followLogs(runs: () => readonly Running[]) {
  const from = new Map(runs().map(run => [run, run.output().length]))

  function lines(): { url: string; line: LogLine }[] {
    return runs().flatMap(run =>
      run
        .output()
        .slice(from.get(run) ?? 0)
        .split('\n')
        .flatMap(text => {
          const line = read(text)
          return line ? [{ url: run.url, line }] : []
        }),
    )
  }
  return {
    lines,
    /** Lines at error level, and stack traces. */
    errors: () => lines().filter(({ line }) => line.level >= errorLevel),
    /** Each message once, in order of its first occurrence. */
    said: () => [...new Set(lines().map(({ line }) => line.msg))],
    /** Counts the log lines of each process whose message matches `about`. Returns the highest of these counts. */
    mostOfOne(about: RegExp): number {
      const ofIt = lines().filter(({ line }) => about.test(line.msg))
      const counts = [...Map.groupBy(ofIt, ({ url }) => url).values()].map(list => list.length)
      return Math.max(0, ...counts)
    },
  }
}
export type FollowedLogs = ReturnType<typeof followLogs>

function read(text: string): LogLine | null {
  if (/^\s+at /.test(text)) return { level: errorLevel, msg: text.trim() }
  if (!text.startsWith('{')) return null
  try {
    const line = JSON.parse(text) as Partial<LogLine>
    if (line.msg === undefined || ofNoFault.test(line.msg)) return null
    // Prisma's message has the cause in its last line.
    const why = line.msg === 'unhandled error' ? `: ${line.error?.message?.trim().split('\n').at(-1)}` : ''
    return { level: 0, ...line, msg: `${line.msg}${why}` }
  } catch {
    // The last line is not complete yet.
    return null
  }
}
