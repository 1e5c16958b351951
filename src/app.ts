import express, { type Express } from 'express'
import { graphqlRouter } from './graphql/server.ts'
import { authenticate } from './http/authenticate.ts'
import { charge } from './http/charge.ts'
import type { Drain } from './http/drain.ts'
import { answerErrors, refuseUnknownPath } from './http/errors.ts'
import { healthRouter } from './http/health.ts'
import { requireHost } from './http/host.ts'
import { observe } from './http/observe.ts'
import { allowAnyOrigin, setSafetyHeaders } from './http/standard-headers.ts'
import { contractRouter } from './rest/contract-router.ts'
import { pointsOf, restRouter } from './rest/router.ts'
import type { Tools } from './tools.ts'

/** The way of a request, from top to bottom. */
export function makeApp(tools: Tools, drain: Drain): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.set('trust proxy', tools.config.trustProxy)

  app.use(observe(tools))
  app.use(drain.sayFarewell)
  app.use(setSafetyHeaders)
  app.use(allowAnyOrigin)
  app.use(requireHost(tools))

  app.use(healthRouter(tools, drain))
  app.use(contractRouter(tools.config))
  app.use('/graphql', graphqlRouter(tools))
  app.use('/v1', authenticate(tools), charge(tools, pointsOf), restRouter(tools))

  app.use(refuseUnknownPath)
  app.use(answerErrors(tools))
  return app
}
