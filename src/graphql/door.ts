import { loadLater } from '../http/load-later.ts'
import type { Ending } from '../http/streams.ts'
import type { Tools } from '../tools.ts'

/**
 * Makes the /graphql router. The code of the router is loaded at the first request or after the start of the process,
 * because loading GraphQL would take a third of the start's time.
 */
export const graphqlDoor = (tools: Tools, drain: Ending) =>
  loadLater(async () => (await import('./server.ts')).openGraphqlRouter(tools, drain))
