import { type Logger, pino, stdSerializers, symbols } from 'pino'

const leaveEveryMs = 200
const leaveFromLength = 32_768

export function openLog(level: string): Logger {
  const output = openOutput()
  return pino(
    {
      level,
      base: null,
      timestamp,
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

let lastSecond = 0
let secondSpelled = ''

/** Many lines of a busy process share their second, and to spell it is a good part of a line. */
function timestamp(): string {
  const now = Date.now()
  const second = Math.floor(now / 1000)
  if (second !== lastSecond) secondSpelled = new Date(second * 1000).toISOString().slice(0, -4)
  lastSecond = second
  return `,"time":"${secondSpelled}${String(now % 1000).padStart(3, '0')}Z"`
}

/** What became of a request. */
export type Answered = {
  requestId: string
  method: string
  route: string
  status: number
  milliseconds: number
  project: string | undefined
  key: string | undefined
  aborted: boolean
}

/** The line that pino would write. Every request has one, and pino looks at each word, also at those that need no quoting. */
export function logAnswer(log: Logger, answered: Answered): void {
  if (!log.isLevelEnabled('info')) return
  const { requestId, method, route, status, milliseconds, project, key, aborted } = answered
  let line = `{"level":30${timestamp()},"requestId":"${requestId}","method":"${method}","route":"${route}"`
  line += `,"status":${status},"milliseconds":${milliseconds}`
  if (project) line += `,"project":${JSON.stringify(project)}`
  if (key) line += `,"key":${JSON.stringify(key)}`
  if (aborted) line += ',"aborted":true'
  outputOf(log).write(`${line}}\n`)
}

const outputOf = (log: Logger) => (log as Logger & { [symbols.streamSym]: Output })[symbols.streamSym]
type Output = { write(line: string): void }

export type { Logger }
