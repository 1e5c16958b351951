import { int64Members } from './generated/wire.ts'

/** Matches a string, a member's name with its colon, or a number. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"\s*:?|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g
/** JSON can write NUL only as this escape, so every string that begins with NUL has exactly this prefix. */
const mark = '"\\u0000'
const mayLoseDigits = /^-?\d{16,}$/

/**
 * Parses JSON with every int64 as an exact bigint. Not every JSON.parse gives its reviver the source of a number, so
 * long numbers are first turned into strings with a NUL prefix. A string that already begins with NUL gets a second
 * NUL.
 */
export function parseExactJson(text: string): unknown {
  const marked = text.replace(tokens, token => {
    if (token.startsWith(mark) && !token.endsWith(':')) return `${mark}${token.slice(1)}`
    return mayLoseDigits.test(token) ? `${mark}${token}"` : token
  })
  return JSON.parse(marked, (name, value) => {
    if (typeof value === 'string' && value.startsWith('\0')) {
      return value.startsWith('\0', 1) ? value.slice(1) : BigInt(value.slice(1))
    }
    return int64Members.includes(name) ? toBigint(value) : value
  })
}

/** Converts an int64 member, or a list of them, to bigint. Leaves other members unchanged. */
function toBigint(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toBigint)
  return typeof value === 'number' ? BigInt(value) : value
}

/**
 * Writes bigints as JSON numbers. Throws if a JavaScript number is an integer beyond 53 bits, because the number may
 * already have lost digits.
 */
export function writeExactJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`${value} is beyond what a number holds exactly; write it as a bigint: 123n.`)
  }
  if (Array.isArray(value)) return `[${value.map(item => writeExactJson(item ?? null)).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeExactJson(member)}`).join()}}`
}
