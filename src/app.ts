import express from 'express'
import { graphqlDoor } from './graphql/door.ts'
import { projectRouter } from './hosting/project-router.ts'
import { authenticate } from './http/authenticate.ts'
import { charge } from './http/charge.ts'
import { dashboardRouter } from './http/dashboard-files.ts'
import type { Drain } from './http/drain.ts'
import { answerErrors, refuseUnknownPath } from './http/errors.ts'
import { type App, makeClasses } from './http/gathered-headers.ts'
import { healthRouter } from './http/health.ts'
import { routeByHost } from './http/host.ts'
import { localAuthorityRouter } from './http/local-authority.ts'
import { observe } from './http/observe.ts'
import { takeShortcuts } from './http/shortcut.ts'
import { setStandardHeaders } from './http/standard-headers.ts'
import { referenceRouter } from './reference/reference.ts'
import { contractRouter } from './rest/contract-router.ts'
import { pointsOf, restRouter, restRoutes } from './rest/router.ts'
import { studioRouter } from './studio/studio.ts'
import type { Tools } from './tools.ts'

/** The way of a request, from top to bottom. */
export function makeApp(tools: Tools, drain: Drain): App {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.set('trust proxy', tools.config.trustProxy)
  const classes = makeClasses(app)

  const atFirst = [observe(tools), drain.sayFarewell, setStandardHeaders, routeByHost(tools)]
  const atTheStore = [authenticate(tools), charge(tools, pointsOf)]
  const routes = restRoutes(tools)
  const answerError = answerErrors(tools)
  const graphql = graphqlDoor(tools)

  app.use(...atFirst)
  app.use(healthRouter(tools, drain))
  app.use(projectRouter())
  app.use(localAuthorityRouter(tools))
  app.use(contractRouter(tools.config))
  app.use('/dashboard', dashboardRouter())
  app.use(referenceRouter(tools))
  app.use('/studio', studioRouter(tools))
  app.use('/graphql', graphql.enter)
  app.use('/v1', ...atTheStore, restRouter(routes))

  app.use(refuseUnknownPath)
  app.use(answerError)
  const listener = takeShortcuts(app, [
    { mount: '/v1', path: '/pets', steps: [...atFirst, ...atTheStore, routes.pets], answerError },
    {
      mount: '/v1',
      path: '/pets/',
      number: 'petId',
      steps: [...atFirst, ...atTheStore, routes.pet],
      answerError,
    },
  ])
  return Object.assign(listener, { classes, warmUp: graphql.open })
}
