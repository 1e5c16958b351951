import { int64Members } from './generated/wire.ts'

/** A string, a member's name with its colon, or a number; what stands between them is skipped. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"\s*:?|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g
/** A JSON text can spell NUL in no other way, so what begins with it here begins with it in the text. */
const mark = '"\\u0000'
const mayLoseDigits = /^-?\d{16,}$/

/**
 * What a JSON text says, with every int64 as a bigint, exact to the last digit. Not every JSON.parse tells its reviver
 * how a number was written, so long ones are first made strings that begin with NUL; strings that do so get another.
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

/** An int64 member's value, or a list of them; what is no number stays what it is. */
function toBigint(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toBigint)
  return typeof value === 'number' ? BigInt(value) : value
}

/** JSON with each bigint as the number that it is. A number that has lost digits already is not sent. */
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
