import type { RequestHandler, Router } from 'express'
import type { Tools } from '../tools.ts'

export type GraphqlDoor = ReturnType<typeof graphqlDoor>

/**
 * The /graphql door, opened by the first who wants in, or when the service is up: what GraphQL has to load and to read
 * is a third of a start, and nobody else should wait for it.
 */
export function graphqlDoor(tools: Tools) {
  let opening: Promise<Router> | undefined
  const open = () => {
    opening ??= import('./server.ts').then(({ openGraphqlRouter }) => openGraphqlRouter(tools))
    return opening
  }
  const enter: RequestHandler = async (request, response, next) => {
    const router = await open()
    router(request, response, next)
  }
  return { open, enter }
}
