import type { Response } from 'express'
import { addHeader, addHeaders } from './headers.ts'

/**
 * An answer behind a key is its caller's alone: nobody between may keep it, and a browser that does asks whether it is
 * still true. A page that takes what is kept at any price (`force-cache`) passes over that, though not over `Vary`, which
 * keeps the answers of one key from all others.
 */
const ofOneKey = ['Cache-Control', 'private, no-cache', 'Vary', 'Authorization, Accept-Encoding']

export function keepByKey(response: Response): void {
  addHeaders(response, ofOneKey)
}

/** For refusals, which are true for now, and for what may hold a secret. */
export function keepNowhere(response: Response): void {
  addHeader(response, 'Cache-Control', 'no-store')
}
