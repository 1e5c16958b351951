import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomDigits = 28
const shape = new RegExp(`^as_[0-9A-Za-z]{${randomDigits + 6}}$`)

/**
 * Makes `as_`, 28 random base62 digits (166 bits) and a checksum of six digits. A double click selects the whole
 * secret.
 */
export function makeSecret(): string {
  const random = toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`))
    .padStart(randomDigits, '0')
    .slice(-randomDigits)
  return `as_${random}${checksum(random)}`
}

/** Checks the shape and the checksum, so most mistyped keys need no query. */
export function isWellFormedSecret(text: string): boolean {
  if (!shape.test(text)) return false
  const random = text.slice(3, 3 + randomDigits)
  return text.endsWith(checksum(random))
}

/**
 * The kinds of secrets for people: the access token of a member or an operator, a session's cookie, an invitation's
 * link, and the sign-in of a terminal.
 */
const kinds = { access: 'asa_', operator: 'aso_', session: 'ass_', invitation: 'asi_', device: 'asd_' }
export type SecretKind = keyof typeof kinds

/** Makes a prefix and 32 random bytes in base64url. */
export function makeSecretOf(kind: SecretKind): string {
  return kinds[kind] + randomBytes(32).toString('base64url')
}

export function isSecretOf(kind: SecretKind, text: unknown): text is string {
  return typeof text === 'string' && text.startsWith(kinds[kind]) && /^[\w-]{47}$/.test(text)
}

export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/**
 * Returns the hash in hexadecimal. It takes half a microsecond, so a cache by secret would save little and keep secrets
 * in memory.
 */
export function hashInHex(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** Long enough to recognise a key in a list or log, too short to use it. */
export function prefixOf(secret: string): string {
  return secret.slice(0, 11)
}

function checksum(text: string): string {
  return toBase62(BigInt(crc32(text))).padStart(6, '0')
}

function toBase62(number: bigint): string {
  let text = ''
  for (let rest = number; rest > 0n; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text
  return text
}
