import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** By what a request is found again, here and in the logs of who sent it. */
export type RequestNames = { requestId: string; traceparent?: string | undefined }

/**
 * A sender's own name for a request is taken over in a form that cannot pass for anything else in a log or a header.
 * Node joins what is sent twice by a comma, which neither form has.
 */
export function nameRequest(headers: IncomingHttpHeaders): RequestNames {
  const { 'x-request-id': given, traceparent } = headers
  const isGiven = typeof given === 'string' && /^[\w.-]{1,128}$/.test(given)
  const isTraced = typeof traceparent === 'string' && isTraceparent(traceparent)
  return { requestId: isGiven ? given : randomUUID(), traceparent: isTraced ? traceparent : undefined }
}

/** Version 00 of W3C Trace Context, 3.2: a version, the trace, the sender's part of it, flags; no part of zeros alone. */
function isTraceparent(text: string): boolean {
  return /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/.test(text)
}
