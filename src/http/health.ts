import { Router } from 'express'
import { poolFull, whyUnavailable } from '../database/faults.ts'
import type { Tools } from '../tools.ts'
import { answerJson } from './answer.ts'
import type { Drain } from './drain.ts'

/** For probes: whether the process runs, and whether it should be sent requests. Never counted, no key needed. */
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
      // Other processes could not take a busy one's requests either.
      error => (whyUnavailable(error)?.reason === poolFull ? 'busy' : 'unreachable'),
    )
    const ready = tools.isStarted && reached !== 'unreachable' && !drain.isEnding()
    const whyNotReady = tools.isStarted || drain.isEnding() ? 'not ready' : 'starting'
    const fault = database.outage.reason()
    const state = {
      status: !ready ? whyNotReady : isWithoutKey(tools) ? 'degraded' : 'ready',
      database: reached,
      // A disk that is full is no reason to refuse reads.
      ...(fault && { fault }),
      // Without its Redis the limiter counts in memory, which is no reason to take the process out of service.
      limiter: limiter.isExact() ? 'exact' : 'counting in memory until Redis returns',
      secrets: secretsOf(tools),
    }
    answerJson(response, ready ? 200 : 503, JSON.stringify(state))
  })
  return router
}

const isWithoutKey = ({ hosting: { seal }, metrics: { sealed } }: Tools) =>
  sealed.unreadable > 0 || seal.refusal() !== null

/** Of the private keys in the database, for whoever changes SECRETS_KEY. */
function secretsOf({ hosting: { seal }, metrics: { sealed } }: Tools): string {
  const { older, unreadable } = sealed
  if (seal.refusal() !== null) return 'this process lacks the SECRETS_KEY of the others'
  if (unreadable > 0) return `${unreadable} do not open with SECRETS_KEY`
  if (older === null) return 'not known yet, since not every process has told its keys'
  if (older > 0) return `${older} were sealed with an older key and are sealed anew`
  return seal.fingerprints().length > 1 ? 'sealed with the first key, the older ones may go' : 'open'
}
