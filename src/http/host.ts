import type { RequestHandler } from 'express'
import { StoreError } from '../core/errors.ts'
import type { Tools } from '../tools.ts'
import { showStrangerLimits } from './authenticate.ts'

/** HTTP/1.1 asks for a Host (RFC 9112, 3.2). */
export function requireHost(tools: Tools): RequestHandler {
  return async (request, response, next) => {
    if (request.headers.host !== undefined || request.httpVersion === '1.0') return next()
    await showStrangerLimits(tools, request, response)
    throw new StoreError('malformed_request', 'The request has no Host header.')
  }
}
