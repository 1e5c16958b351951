import { Router } from 'express'
import { poolFull, whyUnavailable } from '../database/faults.ts'
import type { Tools } from '../tools.ts'
import { answerJson } from './answer.ts'
import type { Drain } from './drain.ts'

/** Liveness and readiness probes. They need no key and are not counted. */
export function healthRouter(tools: Tools, drain: Drain): Router {
  const { database, limiter } = tools
  const router = Router()
  router.get('/livez', (_request, response) => {
    response.locals.route = '/livez'
    answerJson(response, 200, JSON.stringify({ status: 'alive' }))
  })
  router.get('/readyz', async (_request, response) => {
    response.locals.route = '/readyz'
    const reached = await database.ping().then(
      () => 'reachable',
      // A busy process stays ready, since other processes could not take its requests either.
      error => (whyUnavailable(error)?.reason === poolFull ? 'busy' : 'unreachable'),
    )
    const ready = tools.isStarted && reached !== 'unreachable' && !drain.isEnding()
    const whyNotReady = tools.isStarted || drain.isEnding() ? 'not ready' : 'starting'
    const fault = database.outage.reason()
    const state = {
      status: !ready ? whyNotReady : isWithoutKey(tools) ? 'degraded' : 'ready',
      database: reached,
      // A full disk does not prevent reads.
      ...(fault && { fault }),
      // Without Redis the limiter counts in memory, so the process stays ready.
      limiter: limiter.isExact() ? 'exact' : 'counting in memory until Redis returns',
      secrets: secretsOf(tools),
    }
    answerJson(response, ready ? 200 : 503, JSON.stringify(state))
  })
  return router
}

const isWithoutKey = ({ hosting: { seal }, metrics: { sealed } }: Tools) =>
  sealed.unreadable > 0 || seal.refusal() !== null

/** The state of the private keys in the database, for an operator who changes SECRETS_KEY. */
function secretsOf({ hosting: { seal }, metrics: { sealed } }: Tools): string {
  const { older, unreadable } = sealed
  if (seal.refusal() !== null) return 'this process lacks the SECRETS_KEY of the others'
  if (unreadable > 0) return `${unreadable} do not open with SECRETS_KEY`
  if (older === null) return 'not known yet, since not every process has told its keys'
  if (older > 0) return `${older} were sealed with an older key and are sealed anew`
  return seal.fingerprints().length > 1 ? 'sealed with the first key, the older ones may go' : 'open'
}
