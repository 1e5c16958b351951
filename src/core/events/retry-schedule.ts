const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Pauses after each failed attempt at the endpoint's next event. Later events wait, so that all stay in order. */
const inPlace = [5 * second, 25 * second, 90 * second, 3 * minute]
export const longestAsideMs = 23.5 * hour
/** Pauses before each attempt at an event that was set aside: up to 75 hours in all. */
const aside = [30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, longestAsideMs]
export const asideMs = aside.reduce((sum, pause) => sum + pause)
/** Pauses between the attempts at an endpoint that rests. The last pause repeats. */
const resting = [10 * minute, 30 * minute, hour]

/** After this number of events set aside in a row, the endpoint rests: it is tried with one event from time to time. */
export const restsAfter = 5
/** An endpoint that has failed this long is disabled. */
export const disabledAfterMs = 5 * 24 * hour
/** The longest pause that an endpoint may ask for with Retry-After. */
const longestRequestedMs = hour

/**
 * Returns the pause after the given number of failed attempts at the endpoint's next event; null if the event is to be
 * set aside.
 */
export const pauseInPlace = (attempts: number): number | null => inPlace[attempts - 1] ?? null

/** Returns the pause after the given number of failed attempts since the event was set aside; null after the last one. */
export const pauseAside = (attempts: number): number | null => aside[attempts] ?? null

export const pauseOfRest = (rests: number): number => resting[Math.min(rests, resting.length - 1)] ?? hour

/** Adds up to a tenth, so that endpoints that failed together are not tried together. */
export const withJitter = (ms: number, random = Math.random()): number => Math.round(ms * (1 + random / 10))

/**
 * Parses Retry-After: seconds or a date. Returns milliseconds, at most `longestRequestedMs`. Returns null if the header
 * is absent, invalid or in the past.
 */
export function requestedPause(retryAfter: string | undefined, now: number): number | null {
  if (retryAfter === undefined) return null
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * second : Date.parse(retryAfter) - now
  return ms > 0 ? Math.min(ms, longestRequestedMs) : null
}
