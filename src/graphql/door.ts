import { loadLater } from '../http/load-later.ts'
import type { Ending } from '../http/streams.ts'
import type { Tools } from '../tools.ts'

/**
 * Makes the /graphql router. It is loaded at its first request or after the start, because loading GraphQL takes a
 * third of a start.
 */
export const graphqlDoor = (tools: Tools, drain: Ending) =>
  loadLater(async () => (await import('./server.ts')).openGraphqlRouter(tools, drain))
