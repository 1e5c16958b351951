import type { Request, Response } from 'express'
import { longestMs } from '../../core/people/sessions.ts'
import { appendHeader } from '../headers.ts'

/**
 * How long the two cookies last: `session` holds the session's secret, `issuer` the state of a sign-in at the identity
 * provider.
 */
const maxAgeSeconds = { session: longestMs / 1000, issuer: 10 * 60 }
type Kind = keyof typeof maxAgeSeconds

/**
 * The cookie's name for an origin. Over HTTPS the prefix makes browsers refuse a cookie that a subdomain or an insecure
 * page sets (RFC 6265bis, 4.1.3.2). Over http, as at localhost, the name has no such prefix, because Safari takes no
 * Secure cookie there. The name contains the port, because browsers send a host's cookies to all its ports, and two
 * services may run on one machine.
 */
function nameAt(origin: URL, kind: Kind): string {
  return origin.protocol === 'https:'
    ? `__Host-animal-store-${kind}`
    : `animal-store-${kind}-${origin.port || '80'}`
}

/** Reads a cookie's value. Two cookies of the name are refused, because one of them may be planted. */
export function readCookie(request: Request, origin: URL, kind: Kind = 'session'): string | null {
  const name = nameAt(origin, kind)
  const values = (request.headers.cookie ?? '').split(';').flatMap(pair => {
    const at = pair.indexOf('=')
    return at > 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : []
  })
  return values.length === 1 ? (values[0] ?? null) : null
}

/**
 * Sets a cookie; null removes it. Pages cannot read it, and other sites' forms do not send it. A cookie with
 * SameSite=Strict would not be sent with the navigation from the identity provider.
 */
export function setCookie(
  response: Response,
  origin: URL,
  value: string | null,
  kind: Kind = 'session',
): void {
  const isSecure = origin.protocol === 'https:'
  const parts = [
    `${nameAt(origin, kind)}=${value ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    `Max-Age=${value === null ? 0 : maxAgeSeconds[kind]}`,
    ...(isSecure ? ['Secure'] : []),
  ]
  appendHeader(response, 'Set-Cookie', parts.join('; '))
}
