import type { ErrorRequestHandler, RequestHandler } from 'express'
import { walk } from '../http/shortcut.ts'
import type { Tools } from '../tools.ts'
import type { GraphqlDoor } from './server.ts'

/**
 * The /graphql door, opened by the first who wants in, or when the service is up: what GraphQL has to load and to read
 * is a third of a start, and nobody else should wait for it.
 */
export function graphqlDoor(tools: Tools) {
  let door: GraphqlDoor | undefined
  let opening: Promise<GraphqlDoor> | undefined

  async function load(): Promise<GraphqlDoor> {
    const { openGraphqlDoor } = await import('./server.ts')
    door = openGraphqlDoor(tools)
    return door
  }
  const open = () => {
    opening ??= load()
    return opening
  }

  const router: RequestHandler = async (request, response, next) => {
    const { router } = door ?? (await open())
    router(request, response, next)
  }
  const step: RequestHandler = async (request, response) => {
    const { steps, answerError } = door ?? (await open())
    walk(steps, request, response, answerError)
  }
  const answerError: ErrorRequestHandler = async (fault, request, response, next) => {
    const { answerError } = door ?? (await open())
    answerError(fault, request, response, next)
  }
  return { open, router, step, answerError }
}
