import type { Response } from 'express'
import type { Decision } from '../limiter/decision.ts'
import { addHeaders } from './headers.ts'

type Shown = Pick<Decision, 'decidedAt' | 'banEndsAt' | 'windows'>

/**
 * Returns the rate limit headers; names and values alternate. The specification's three headers describe only the
 * window with the fewest requests left. The IETF draft's two headers describe every window. If a request is charged to
 * the store's budget and to the management budget, the specification's three headers describe a window of the store's
 * budget. For a banned key, every window has no requests left until the ban ends.
 */
export function rateLimitHeaders(decision: Shown): string[] {
  const { decidedAt, banEndsAt } = decision
  const windows =
    banEndsAt === null
      ? decision.windows
      : decision.windows.map(window => ({ ...window, remaining: 0, resetAt: banEndsAt }))
  let tightest = windows[0]
  let left = ''
  let policy = ''
  for (const window of windows) {
    const isTighter = !tightest || window.remaining < tightest.remaining
    if (isTighter && window.name !== 'management') tightest = window
    const comma = left && ', '
    left += `${comma}"${window.name}";r=${window.remaining};t=${Math.max(0, Math.ceil((window.resetAt - decidedAt) / 1000))}`
    policy += `${comma}"${window.name}";q=${window.limit};w=${window.seconds}`
  }
  if (!tightest) return []
  return [
    'X-RateLimit-Limit',
    String(tightest.limit),
    'X-RateLimit-Remaining',
    String(tightest.remaining),
    'X-RateLimit-Reset',
    String(Math.ceil(tightest.resetAt / 1000)),
    'RateLimit',
    left,
    'RateLimit-Policy',
    policy,
  ]
}

export function addRateLimitHeaders(response: Response, decision: Decision): void {
  addHeaders(response, rateLimitHeaders(decision))
}
