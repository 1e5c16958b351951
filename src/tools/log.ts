import cluster from 'node:cluster'
import { type Logger, pino, stdSerializers } from 'pino'
import { type LogOutput, openLogOutput } from './log-output.ts'
import { toReadable } from './readable-lines.ts'

const lastPatienceMs = 500

export function openLog(level: string): Logger {
  return pino(
    {
      level,
      // With PROCESSES, a line says which process wrote it.
      base: cluster.isWorker ? { pid: process.pid } : null,
      timestamp: timeSpeller(),
      serializers: { error: stdSerializers.err },
    },
    process.stdout.isTTY ? readable(standardOutput()) : standardOutput(),
  )
}

/** Like pino's isoTime, but formats each millisecond once: under load many lines share it. */
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

/** Readable lines for a terminal, JSON for everything else. */
function readable(output: LogOutput): Pick<LogOutput, 'write'> {
  const colour = process.stdout.hasColors()
  return { write: line => output.write(toReadable(line, colour)) }
}

/** Logs warnings of Node.js and of libraries. Node.js would print them as text between the lines of JSON. */
export function logWarnings(log: Logger): void {
  // Remove Node.js' own listener, which would print the warnings.
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => log.warn({ warning: name }, message))
}

/** Prints a text for a person, not a log line. */
export function print(text: string): void {
  standardOutput().write(`${text}\n`)
}

export const linesDropped = () => output?.linesDropped() ?? 0

let output: LogOutput | undefined

function standardOutput(): LogOutput {
  if (output) return output
  // Reading `process.stdout` makes Node.js open it. After that, a write to a full pipe or socket fails instead of
  // blocking.
  const opened = openLogOutput(process.stdout.fd)
  process.once('exit', () => opened.flush(lastPatienceMs))
  output = opened
  return opened
}

export type { Logger }
