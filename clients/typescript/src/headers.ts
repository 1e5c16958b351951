/** The rate limit window with the fewest requests left, from an answer's headers. */
export type RateLimitState = { limit: number; remaining: number; resetAt: Date }

export function readRateLimit(headers: Headers): RateLimitState | null {
  const [limit, remaining, reset] = ['Limit', 'Remaining', 'Reset'].map(name =>
    headers.get(`X-RateLimit-${name}`),
  )
  if (!limit || !remaining || !reset) return null
  return { limit: Number(limit), remaining: Number(remaining), resetAt: new Date(Number(reset) * 1000) }
}

/** Reads Retry-After: seconds, or an HTTP date, which proxies may write. */
export function readRetryAfterSeconds(headers: Headers): number | null {
  const text = headers.get('Retry-After')
  if (text === null) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}

/** Returns the target of a link in the answer's headers (RFC 8288); null if there is none. */
export function readLink(headers: Headers, relation: string): string | null {
  for (const [, url, rel] of (headers.get('Link') ?? '').matchAll(/<([^<>]*)>\s*;\s*rel="([^"]*)"/g)) {
    if (rel === relation && url) return url
  }
  return null
}
