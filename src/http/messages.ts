import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http'
import type { Express } from 'express'

/**
 * Gives the app its own classes for requests and responses, with the prototypes that Express expects. Otherwise Express
 * changes the prototype of every request and response, which takes a twentieth of the CPU time of a list that is
 * answered from the cache.
 */
export function makeMessageClasses(app: Express): void {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request)
  Object.setPrototypeOf(AppResponse.prototype, app.response)
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype })
}

type MessageClasses = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>

/**
 * Returns the app's own classes for requests and responses, if the listener is an Express app. For any other listener,
 * the server uses the classes of Node.js.
 */
export function messageClassesOf(listener: RequestListener | Express): MessageClasses {
  if (!('request' in listener)) return {}
  const [IncomingMessage, ServerResponse] = [listener.request.constructor, listener.response.constructor]
  return { IncomingMessage, ServerResponse } as MessageClasses
}
