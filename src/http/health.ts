import { Router } from 'express'
import type { Tools } from '../tools.ts'
import { answerJson } from './answer.ts'
import type { Drain } from './drain.ts'

/** For probes: whether the process runs, and whether it should be sent requests. Never counted, no key needed. */
export function healthRouter({ database, limiter }: Tools, drain: Drain): Router {
  const router = Router()
  router.get('/livez', (_request, response) => {
    response.locals.route = '/livez'
    answerJson(response, 200, JSON.stringify({ status: 'alive' }))
  })
  router.get('/readyz', async (_request, response) => {
    response.locals.route = '/readyz'
    const databaseAnswers = await database.ping().then(
      () => true,
      () => false,
    )
    const ready = databaseAnswers && !drain.isEnding()
    const fault = database.outage.reason()
    const state = {
      status: ready ? 'ready' : 'not ready',
      database: databaseAnswers ? 'reachable' : 'unreachable',
      // A disk that is full is no reason to refuse reads.
      ...(fault && { fault }),
      // Without its Redis the limiter counts in memory, which is no reason to take the process out of service.
      limiter: limiter.isExact() ? 'exact' : 'counting in memory until Redis returns',
    }
    answerJson(response, ready ? 200 : 503, JSON.stringify(state))
  })
  return router
}
