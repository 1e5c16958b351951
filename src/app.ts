import { parse } from 'node:querystring'
import express, { type Express, type Request } from 'express'
import { graphqlDoor } from './graphql/door.ts'
import { projectRouter } from './hosting/project-router.ts'
import { dashboardRouter } from './http/dashboard-files.ts'
import type { Drain } from './http/drain.ts'
import { answerErrors, refuseUnknownPath } from './http/errors.ts'
import { faviconRouter } from './http/favicon.ts'
import { setHeadersAtOnce } from './http/headers.ts'
import { healthRouter } from './http/health.ts'
import { routeByHost } from './http/host.ts'
import type { LazyDoor } from './http/load-later.ts'
import { localAuthorityRouter } from './http/local-authority.ts'
import { makeMessageClasses } from './http/messages.ts'
import { observe } from './http/observe.ts'
import { answerOptions } from './http/options.ts'
import { loadPasskeys } from './http/session/passkeys.ts'
import { sessionRouter } from './http/session/router.ts'
import { beginHeaders } from './http/standard-headers.ts'
import { type TrustedProxies, trustedProxies } from './http/trusted-proxies.ts'
import { mcpDoor } from './mcp/door.ts'
import { loadReference, referenceRouter } from './reference/reference.ts'
import { contractRouter, loadContract } from './rest/contract-router.ts'
import { leakRouter } from './rest/leaks.ts'
import { restRouter } from './rest/router.ts'
import { hasStudio, studioRouter } from './studio/studio.ts'
import type { Tools } from './tools.ts'

export type App = {
  listener: Express
  /** The app for HTTPS. Its trusted proxies are configured separately from those of the HTTP listener. */
  secureListener: Express
  /**
   * Builds GraphQL, the API reference and the contract, so that their first requests need not wait. With PostgreSQL,
   * also loads the large libraries.
   */
  warmUp(): Promise<unknown>
}

export function makeApp(tools: Tools, drain: Drain): App {
  const graphql = graphqlDoor(tools, drain)
  const mcp = mcpDoor(tools)
  const { http, https } = trustedProxies(tools.config)
  const listener = listTheWay(tools, drain, { graphql, mcp }, http)
  const secureListener = http === https ? listener : listTheWay(tools, drain, { graphql, mcp }, https)
  return {
    listener,
    secureListener,
    async warmUp() {
      await graphql.open()
      const { graphqlIntrospection } = tools.config
      const loads: (() => Promise<unknown>)[] = [loadReference, () => loadContract(tools.config)]
      // The MCP server and the passkey library take 0.6 s of CPU and 30 MB. On the embedded database they load at their
      // first use, because such a store may never need them.
      if (!tools.database.isEmbedded) loads.push(mcp.open, loadPasskeys)
      if (graphqlIntrospection) loads.push((await import('./graphql/warm-up.ts')).warmUpIntrospection)
      for (const load of loads) {
        // Stop loading when the drain begins, because a process that is busy while its listener closes would cut
        // connections.
        if (drain.isEnding()) return
        // Ignore errors here: the first request that needs the part fails with the same error and logs it.
        await load().catch(() => {})
      }
    },
  }
}

type Doors = { graphql: LazyDoor; mcp: LazyDoor }

/** Builds the app. Lists every step of a request in order. */
function listTheWay(tools: Tools, drain: Drain, doors: Doors, trusted: TrustedProxies): Express {
  const app = express()
  makeMessageClasses(app)
  const besideFor = (request: Request) => [
    ...(tools.config.graphqlSandbox ? ['sandbox'] : []),
    ...(hasStudio(tools, request) ? ['studio'] : []),
  ]
  app.disable('x-powered-by')
  app.disable('etag')
  // Without `maxKeys` the parser ignores all parameters after the first 1,000, even a filter.
  app.set('query parser', (query: string | null) => parse(query ?? '', '&', '=', { maxKeys: 0 }))
  app.enable('case sensitive routing')
  app.set('trust proxy', trusted)

  app.use(observe(tools))
  app.use(beginHeaders(drain))
  app.use(routeByHost(tools))
  app.use('/v1', restRouter(tools, drain))
  app.use('/graphql', doors.graphql.enter)
  app.use('/mcp', doors.mcp.enter)
  app.use('/session', sessionRouter(tools, drain))
  app.use(leakRouter(tools))
  app.use(answerOptions(tools, 'GET, HEAD, OPTIONS'))

  app.use(setHeadersAtOnce)
  app.use(healthRouter(tools, drain))
  app.use(faviconRouter())
  app.use(projectRouter(tools))
  app.use(localAuthorityRouter(tools))
  app.use(contractRouter(tools.config))
  app.use('/dashboard', dashboardRouter(besideFor))
  app.use(referenceRouter(tools))
  app.use('/studio', studioRouter(tools))
  app.use(refuseUnknownPath)
  app.use(answerErrors(tools))
  return app
}
