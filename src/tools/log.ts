import { type Logger, pino, stdSerializers } from 'pino'
import { type LogOutput, openLogOutput } from './log-output.ts'
import { toReadable } from './readable-lines.ts'

const lastPatienceMs = 500

export function openLog(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: timeSpeller(),
      serializers: { error: stdSerializers.err },
    },
    process.stdout.isTTY ? readable(standardOutput()) : standardOutput(),
  )
}

/** As pino's own isoTime has it. Under load many lines are of one millisecond, whose text is spelled once. */
function timeSpeller(): () => string {
  let spelledAt = 0
  let text = ''
  return () => {
    const now = Date.now()
    if (now !== spelledAt) {
      spelledAt = now
      text = `,"time":"${new Date(now).toISOString()}"`
    }
    return text
  }
}

/** In a terminal somebody reads; everywhere else a program does. */
function readable(output: LogOutput): Pick<LogOutput, 'write'> {
  const colour = process.stdout.hasColors()
  return { write: line => output.write(toReadable(line, colour)) }
}

/** For whoever looks on: no line of the log, and in its place between them. */
export function print(text: string): void {
  standardOutput().write(`${text}\n`)
}

export const linesDropped = () => output?.linesDropped() ?? 0

let output: LogOutput | undefined

function standardOutput(): LogOutput {
  if (output) return output
  // Once node has opened it, writing to a pipe or a socket that has no room fails where it would wait.
  const opened = openLogOutput(process.stdout.fd)
  process.once('exit', () => opened.flush(lastPatienceMs))
  output = opened
  return opened
}

export type { Logger }
