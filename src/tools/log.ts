import { type Logger, pino, stdSerializers } from 'pino'

export function openLog(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { error: stdSerializers.err },
  })
}

export type { Logger }
