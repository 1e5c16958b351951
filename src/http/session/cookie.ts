import type { Request, Response } from 'express'
import { longestMs } from '../../core/people/sessions.ts'
import { addHeader } from '../headers.ts'

/**
 * The cookie's name for an origin. Over HTTPS the prefix makes browsers refuse a cookie that a subdomain or an insecure
 * page sets (RFC 6265bis, 4.1.3.2). Over http, as at localhost, Safari takes no Secure cookie; the port keeps two
 * services on one machine apart, because cookies have no ports.
 */
function nameAt(origin: URL): string {
  return origin.protocol === 'https:'
    ? '__Host-animal-store-session'
    : `animal-store-session-${origin.port || '80'}`
}

/** Reads the session's secret. Two cookies of the name are refused, because one of them may be planted. */
export function readCookie(request: Request, origin: URL): string | null {
  const name = nameAt(origin)
  const values = (request.headers.cookie ?? '').split(';').flatMap(pair => {
    const at = pair.indexOf('=')
    return at > 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : []
  })
  return values.length === 1 ? (values[0] ?? null) : null
}

/** Sets the session's cookie; null removes it. Pages cannot read it, and other sites' forms do not send it. */
export function setCookie(response: Response, origin: URL, secret: string | null): void {
  const isSecure = origin.protocol === 'https:'
  const parts = [
    `${nameAt(origin)}=${secret ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    `Max-Age=${secret === null ? 0 : longestMs / 1000}`,
    ...(isSecure ? ['Secure'] : []),
  ]
  addHeader(response, 'Set-Cookie', parts.join('; '))
}
