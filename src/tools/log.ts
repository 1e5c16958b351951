import { type Logger, pino, stdSerializers } from 'pino'

const writeEveryMs = 200

export function openLog(level: string): Logger {
  // Lines leave together: a system call for each costs a good part of a request. At the exit pino writes what is left.
  const output = pino.destination({ sync: false, minLength: 8_192 })
  setInterval(() => output.flush(), writeEveryMs).unref()
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
