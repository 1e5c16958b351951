import { type DestinationStream, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino'

export function openLog(level: string): Logger {
  output ??= openOutput()
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      serializers: { error: stdSerializers.err },
    },
    output,
  )
}

let output: DestinationStream | undefined

/**
 * Lines leave some together: to pass each on by itself costs a good part of a request. None waits longer than a moment,
 * and none is lost at the end. This thread writes them, since to wake up another one costs more than it spares.
 */
function openOutput(): DestinationStream {
  const standardOutput = pino.destination({ sync: true, minLength: 8192, periodicFlush: 200 })
  process.once('exit', () => standardOutput.flushSync())
  return standardOutput
}

export type { Logger }
