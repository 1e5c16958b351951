import type { Response } from 'express'
import { addHeader } from './headers.ts'

/**
 * Adds since when this is deprecated (RFC 9745), when it will be removed (RFC 8594) and a link to its replacement.
 */
export function addDeprecation(
  response: Response,
  { since, sunset }: { since: Date; sunset: Date },
  link: string,
): void {
  addHeader(response, 'Deprecation', `@${since.getTime() / 1000}`)
  addHeader(response, 'Sunset', sunset.toUTCString())
  addHeader(response, 'Link', link)
}
