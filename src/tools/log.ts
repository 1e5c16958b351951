import { type Logger, pino, stdSerializers } from 'pino'

const leaveEveryMs = 200
const leaveFromLength = 32_768

export function openLog(level: string): Logger {
  const output = openOutput()
  return pino(
    {
      level,
      base: null,
      timestamp: timestamps(),
      serializers: { error: stdSerializers.err },
    },
    output,
  )
}

/** Lines leave together: to pass each on by itself costs a good part of a request. None waits longer than a moment. */
function openOutput() {
  // Written by this thread, as node writes to a pipe or file in any case: to wake another one costs more than it spares.
  const standardOutput = pino.destination({ sync: true })
  let waiting: string[] = []
  let length = 0
  const leave = () => {
    if (length === 0) return
    standardOutput.write(waiting.join(''))
    waiting = []
    length = 0
  }
  setInterval(leave, leaveEveryMs).unref()
  atExit.add(leave)
  return {
    write(line: string) {
      waiting.push(line)
      length += line.length
      if (length >= leaveFromLength) leave()
    },
  }
}

const atExit = new Set<() => void>()
process.once('exit', () => {
  for (const write of atExit) write()
})

/** Many lines of a busy process share their millisecond, and to spell one is a good part of a line. */
function timestamps(): () => string {
  let at = 0
  let text = ''
  return () => {
    const now = Date.now()
    if (now !== at) text = `,"time":"${new Date(now).toISOString()}"`
    at = now
    return text
  }
}

export type { Logger }
