import { Router } from 'express'
import type { Tools } from '../tools.ts'
import { answerJson } from './answer.ts'
import type { Drain } from './drain.ts'
import { readinessOf } from './readiness.ts'

/**
 * Liveness and readiness probes. They need no key and are not counted. The reasons why a process is not ready are shown
 * on OPS_PORT only, because they are not public.
 */
export function healthRouter(tools: Tools, drain: Drain): Router {
  const router = Router()
  router.get('/livez', (_request, response) => {
    response.locals.route = '/livez'
    answerJson(response, 200, JSON.stringify({ status: 'alive' }))
  })
  router.get('/readyz', async (_request, response) => {
    response.locals.route = '/readyz'
    const { isReady, status } = await readinessOf(tools, drain)
    const shown = isReady ? 'ready' : status
    answerJson(response, isReady ? 200 : 503, JSON.stringify({ status: shown }))
  })
  return router
}
