import type { RequestListener } from 'node:http'
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express'

export type Shortcut = {
  /** Where Express would mount the steps, and what is left of the address behind it. */
  mount: string
  path?: string
  /** What stands behind the path: a parameter of this name, a plain number. */
  number?: string
  /** Any, where none is named. */
  method?: string
  steps: readonly RequestHandler[]
  answerError: ErrorRequestHandler
}

/**
 * What nearly all requests ask for goes through the same steps as behind Express's router, without the router:
 * finding the way would cost more than all the steps.
 */
export function takeShortcuts(app: Express, shortcuts: readonly Shortcut[]): RequestListener {
  return (incoming, outgoing) => {
    const { url = '', method } = incoming
    const taken = shortcuts.find(one => leadsTo(one, url) && (one.method ?? method) === method)
    if (!taken) return app(incoming, outgoing)
    const request = incoming as Request
    const response = outgoing as Response
    // What Express itself sets before its router.
    Object.setPrototypeOf(request, app.request)
    Object.setPrototypeOf(response, app.response)
    request.res = response
    response.req = request
    response.locals = new Gathered()
    request.originalUrl = url
    request.baseUrl = taken.mount
    request.url = url.slice(taken.mount.length)
    if (!request.url.startsWith('/')) request.url = `/${request.url}`
    if (taken.number) request.params = { [taken.number]: numberIn(taken, url) }
    walk(taken.steps, request, response, taken.answerError)
  }
}

/** With all its places from the first on, since the engine is slow with objects that grow, and with those of no class. */
class Gathered implements Partial<Express.Locals> {
  requestId = ''
  route: string | undefined = undefined
  host = undefined
  sender = undefined
  caller = undefined
  decision = undefined
}

function leadsTo(shortcut: Shortcut, url: string): boolean {
  const { mount, path = '', number } = shortcut
  if (!url.startsWith(mount) || !url.startsWith(path, mount.length)) return false
  if (number) return numberIn(shortcut, url) !== ''
  const length = mount.length + path.length
  return url.length === length || url[length] === '?'
}

/** Other spellings of an address are the router's to read. */
function numberIn({ mount, path = '' }: Shortcut, url: string): string {
  return /^\d{1,19}(?=\?|$)/.exec(url.slice(mount.length + path.length))?.[0] ?? ''
}

export function walk(
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
