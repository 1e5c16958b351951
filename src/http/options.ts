import cors from 'cors'
import type { RequestHandler } from 'express'
import type { Tools } from '../tools.ts'
import { showAnonymousLimits } from './authenticate.ts'
import { addHeader, setHeadersAtOnce } from './headers.ts'

/**
 * Answers OPTIONS with the allowed methods and the limits of the IP address. Needs no key and charges nothing, because
 * browsers send preflights without the key. Ignores a key that was sent: its lookup in the database would be free too.
 */
export function answerOptions(tools: Tools, allowed: string): RequestHandler {
  const answerPreflight = cors({ methods: allowed, maxAge: 86_400 })
  return (request, response, next) => {
    if (request.method !== 'OPTIONS') return next()
    return showAnonymousLimits(tools, request, response).then(() => {
      addHeader(response, 'Allow', allowed)
      setHeadersAtOnce(request, response, () => answerPreflight(request, response, next))
    })
  }
}
