import type { RequestListener } from 'node:http'
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express'

/**
 * The path that nearly all requests ask for goes its way through the same steps as behind Express's router, without
 * the router: finding the way would cost more than all the steps.
 */
export function shortcut(
  app: Express,
  [mount, path]: [mount: string, path: string],
  steps: readonly RequestHandler[],
  answerError: ErrorRequestHandler,
): RequestListener {
  const whole = mount + path
  return (incoming, outgoing) => {
    const { url = '' } = incoming
    if (!url.startsWith(whole) || (url.length > whole.length && url[whole.length] !== '?')) {
      return app(incoming, outgoing)
    }
    const request = incoming as Request
    const response = outgoing as Response
    // What Express itself sets before its router.
    Object.setPrototypeOf(request, app.request)
    Object.setPrototypeOf(response, app.response)
    request.res = response
    response.req = request
    response.locals = Object.create(null)
    request.originalUrl = url
    request.baseUrl = mount
    request.url = url.slice(mount.length)
    walk(steps, request, response, answerError)
  }
}

function walk(
  steps: readonly RequestHandler[],
  request: Request,
  response: Response,
  answerError: ErrorRequestHandler,
): void {
  let at = 0
  next()

  function next(fault?: unknown): void {
    if (fault) {
      fail(fault)
      return
    }
    try {
      const done: unknown = steps[at++]?.(request, response, next)
      if (done instanceof Promise) done.catch(fail)
    } catch (thrown) {
      fail(thrown)
    }
  }

  function fail(thrown: unknown): void {
    answerError(thrown, request, response, () => {})
  }
}
