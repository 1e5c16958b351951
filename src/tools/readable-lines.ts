import { styleText } from 'node:util'

type Line = { level: number; time: string; msg?: string; error?: { stack?: string; message?: string } }
type Request = { method: string; route: string; status: number; milliseconds: number }

const levels: Record<number, [name: string, style: 'dim' | 'cyan' | 'yellow' | 'red']> = {
  10: ['trace', 'dim'],
  20: ['debug', 'dim'],
  30: ['info', 'cyan'],
  40: ['warn', 'yellow'],
  50: ['error', 'red'],
  60: ['fatal', 'red'],
}

/** Formats a JSON log line for a terminal. */
export function toReadable(json: string, colour: boolean): string {
  const { level, time, msg, error, ...rest } = JSON.parse(json) as Line & Record<string, unknown>
  const paint = (style: 'dim' | 'cyan' | 'yellow' | 'red', text: string) =>
    colour ? styleText(style, text, { validateStream: false }) : text
  const [name, style] = levels[level] ?? ['', 'dim']
  const request = isRequest(rest) ? requestText(rest) : undefined
  const { method, route, status, milliseconds, ...others } = rest as Record<string, unknown>
  const fields = Object.entries(request === undefined ? rest : others).map(
    ([key, value]) => `${key}=${fieldText(value)}`,
  )
  const parts = [
    paint('dim', time.slice(11, 19)),
    paint(style, name.padEnd(5)),
    ...((msg ?? request) ? [msg ?? request] : []),
    ...(fields.length > 0 ? [paint('dim', fields.join(' '))] : []),
  ]
  const stack = error ? `\n${error.stack ?? error.message}` : ''
  return `${parts.join(' ')}${stack}\n`
}

function isRequest(line: Record<string, unknown>): line is Request {
  return 'method' in line && 'route' in line && 'status' in line
}

const requestText = ({ method, route, status, milliseconds }: Request) =>
  `${method} ${route} ${status} ${milliseconds} ms`

const fieldText = (value: unknown) =>
  typeof value === 'string' && !/\s/.test(value) ? value : JSON.stringify(value)
