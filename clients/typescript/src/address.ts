import { StoreError } from './errors.ts'

/** Where the store is, with the contract's version in the path, whether or not it was given with it. */
export function readBase(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null
  const isHttp = parsed !== null && ['http:', 'https:'].includes(parsed.protocol)
  if (!isHttp) throw refused('url', 'must be an http or https address, such as https://store.example')
  // fetch refuses such an address, and names it with the password in it.
  if (parsed.username || parsed.password) throw refused('url', 'must not contain a user name or a password')
  return `${parsed.origin}${parsed.pathname.replace(/(\/v1)?\/*$/, '')}/v1`
}

/** A key that no header can carry is refused before fetch would name it in its error. */
export function requireKey(key: string): void {
  if (typeof key === 'string' && /^[!-~]+$/.test(key)) return
  throw refused('key', 'must be an API key: visible ASCII characters without spaces')
}

/** Never says what was given: that may be a secret. */
function refused(field: string, message: string): StoreError {
  return new StoreError('invalid_input', `${field} ${message}.`, { details: [{ field, message }] })
}
