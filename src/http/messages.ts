import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http'
import type { Express } from 'express'

/**
 * Gives the app classes of its own for requests and responses. Express changes the prototype of every message that does
 * not have the app's prototype yet, which takes a twentieth of the CPU time of a cached list.
 */
export function makeMessageClasses(app: Express): void {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request)
  Object.setPrototypeOf(AppResponse.prototype, app.response)
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype })
}

type MessageClasses = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>

/** Returns these classes for the server of the app. Any other listener gets those of Node.js. */
export function messageClassesOf(listener: RequestListener | Express): MessageClasses {
  if (!('request' in listener)) return {}
  const [IncomingMessage, ServerResponse] = [listener.request.constructor, listener.response.constructor]
  return { IncomingMessage, ServerResponse } as MessageClasses
}
