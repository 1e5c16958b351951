import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The ids by which the service's and the client's logs identify a request. */
export type RequestNames = { requestId: string; traceparent?: string | undefined }

/**
 * Accepts the client's own X-Request-Id only in a form that is safe in logs and headers. Node joins a repeated header
 * with a comma, which neither form allows.
 */
export function nameRequest(headers: IncomingHttpHeaders): RequestNames {
  const { 'x-request-id': given, traceparent } = headers
  const isGiven = typeof given === 'string' && /^[\w.-]{1,128}$/.test(given)
  const isTraced = typeof traceparent === 'string' && isTraceparent(traceparent)
  return { requestId: isGiven ? given : randomUUID(), traceparent: isTraced ? traceparent : undefined }
}

/** Version 00 of W3C Trace Context, 3.2: version, trace id, parent id and flags; neither id is all zeros. */
function isTraceparent(text: string): boolean {
  return /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/.test(text)
}
