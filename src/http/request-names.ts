import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The ids that identify a request in the logs of the service and the client. */
export type RequestNames = { requestId: string; traceparent?: string | undefined }

/**
 * Names the request. Accepts the client's X-Request-Id only in a form that is safe in logs and headers. Ignores a
 * repeated header: Node.js joins the values with a comma, which neither an X-Request-Id nor a traceparent may contain.
 */
export function nameRequest(headers: IncomingHttpHeaders): RequestNames {
  const { 'x-request-id': given, traceparent } = headers
  const isGiven = typeof given === 'string' && /^[\w.-]{1,128}$/.test(given)
  const isTraced = typeof traceparent === 'string' && isTraceparent(traceparent)
  return { requestId: isGiven ? given : randomUUID(), traceparent: isTraced ? traceparent : undefined }
}

/** True for version 00 of W3C Trace Context, 3.2: version, trace id, parent id and flags; neither id is all zeros. */
function isTraceparent(text: string): boolean {
  return /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/.test(text)
}
