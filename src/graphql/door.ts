import { loadLater } from '../http/load-later.ts'
import type { Tools } from '../tools.ts'

/** Makes the /graphql router, loaded at its first request or after the start: loading GraphQL takes a third of a start. */
export const graphqlDoor = (tools: Tools) =>
  loadLater(async () => (await import('./server.ts')).openGraphqlRouter(tools))
