import type { Response } from 'express'
import { addHeader } from './headers.ts'

/** Since when (RFC 9745) and until when (RFC 8594) what was asked for is served, and what to use instead. */
export function addDeprecation(
  response: Response,
  { since, sunset }: { since: Date; sunset: Date },
  link: string,
): void {
  addHeader(response, 'Deprecation', `@${since.getTime() / 1000}`)
  addHeader(response, 'Sunset', sunset.toUTCString())
  addHeader(response, 'Link', link)
}
