import type { RequestHandler, Router } from 'express'
import type { Tools } from '../tools.ts'

export type GraphqlDoor = ReturnType<typeof graphqlDoor>

/**
 * Makes the /graphql router, loaded at its first request or after the start, because loading GraphQL takes a third of a
 * start and other requests should not wait for it.
 */
export function graphqlDoor(tools: Tools) {
  let opening: Promise<Router> | undefined
  let opened: Router | undefined
  const open = () => {
    opening ??= import('./server.ts').then(({ openGraphqlRouter }) => {
      opened = openGraphqlRouter(tools)
      return opened
    })
    return opening
  }
  const enter: RequestHandler = (request, response, next) => {
    if (opened) return opened(request, response, next)
    return open().then(router => router(request, response, next))
  }
  return { open, enter }
}
