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
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      serializers: { error: stdSerializers.err },
    },
    output,
  )
}

export type { Logger }
