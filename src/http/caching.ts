import type { Response } from 'express'
import { addHeader, addHeaders } from './headers.ts'

/**
 * Shared caches must not store answers for a key, and browsers must revalidate stored ones. A page that fetches with
 * `force-cache` skips the revalidation, but `Vary` still separates the answers of different keys.
 */
const ofOneKey = ['Cache-Control', 'private, no-cache', 'Vary', 'Authorization, Accept-Encoding']

export function keepByKey(response: Response): void {
  addHeaders(response, ofOneKey)
}

/** Forbids every cache to store the answer. Used for errors, and for answers that may contain secrets. */
export function keepNowhere(response: Response): void {
  addHeader(response, 'Cache-Control', 'no-store')
}
