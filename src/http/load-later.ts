import type { RequestHandler, Router } from 'express'

export type LazyDoor = { open(): Promise<Router>; enter: RequestHandler }

/** Loads a router at its first request, or when `open` is called, so that the start need not wait for its libraries. */
export function loadLater(load: () => Promise<Router>): LazyDoor {
  let opening: Promise<Router> | undefined
  let opened: Router | undefined
  const open = () => {
    opening ??= load().then(router => {
      opened = router
      return router
    })
    return opening
  }
  return {
    open,
    enter(request, response, next) {
      if (opened) return opened(request, response, next)
      return open().then(router => router(request, response, next))
    },
  }
}
