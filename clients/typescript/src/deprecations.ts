import { readLink } from './headers.ts'

/** A deprecated operation, as an answer's headers describe it (RFC 9745, RFC 8594). */
export type Deprecation = {
  operation: string
  since: Date
  /** Date of the removal, if known. */
  removedAt: Date | null
  /** The documentation of the replacement. */
  successor: string | null
  documentation: string | null
}

export function readDeprecation(operation: string, headers: Headers): Deprecation | null {
  const since = /^@(\d+)$/.exec(headers.get('Deprecation') ?? '')?.[1]
  if (since === undefined) return null
  const sunset = headers.get('Sunset')
  return {
    operation,
    since: new Date(Number(since) * 1000),
    removedAt: sunset === null ? null : new Date(sunset),
    successor: readLink(headers, 'successor-version'),
    documentation: readLink(headers, 'deprecation'),
  }
}
