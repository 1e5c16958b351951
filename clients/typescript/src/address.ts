import { invalidInput } from './errors.ts'

/** Returns the store's address with the contract's version in its path; `url` may lack the version. */
export function readBase(url: string): string {
  // The `URL` class removes line breaks and tabs and adds missing slashes, so an address with a line break in the host
  // name would lead to another host. Therefore the text is checked before it is parsed.
  const isWhole = /^https?:\/\/[^\s\p{Cc}]+$/iu.test(String(url).trim())
  const parsed = isWhole && URL.canParse(url) ? new URL(url) : null
  if (parsed === null)
    throw invalidInput('url', 'must be an http or https address, such as https://store.example')
  // Refuse the address here, because the error that fetch throws for it would contain the password.
  if (parsed.username || parsed.password)
    throw invalidInput('url', 'must not contain a user name or a password')
  return `${parsed.origin}${parsed.pathname.replace(/(\/v1)?\/*$/, '')}/v1`
}

/** Refuses a key that no header can contain, because fetch would show it in an error. */
export function requireKey(key: string): void {
  if (typeof key === 'string' && /^[!-~]+$/.test(key)) return
  throw invalidInput('key', 'must be an API key: visible ASCII characters without spaces')
}
