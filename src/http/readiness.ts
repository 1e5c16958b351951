import { poolFull, whyUnavailable } from '../database/faults.ts'
import type { Tools } from '../tools.ts'
import type { Drain } from './drain.ts'

export type Readiness = {
  status: 'ready' | 'degraded' | 'starting' | 'not ready'
  isReady: boolean
  /** The faults by the names of the service's parts. Only operators see them. */
  reasons: Record<string, string>
}

export async function readinessOf(tools: Tools, drain: Drain): Promise<Readiness> {
  const { database, limiter } = tools
  const reached = await database.ping().then(
    () => 'reachable',
    // A busy process stays ready, because other processes could not serve its requests either.
    error => (whyUnavailable(error)?.reason === poolFull ? 'busy' : 'unreachable'),
  )
  const isReady = tools.isStarted && reached !== 'unreachable' && !drain.isEnding()
  const whyNotReady = tools.isStarted || drain.isEnding() ? 'not ready' : 'starting'
  const fault = database.outage.reason()
  return {
    status: !isReady ? whyNotReady : isWithoutKey(tools) ? 'degraded' : 'ready',
    isReady,
    reasons: {
      database: reached,
      // A full disk does not prevent reads, so the process stays ready.
      ...(fault && { fault }),
      // Without Redis the limiter counts in memory, so the process stays ready.
      limiter: limiter.isExact() ? 'exact' : 'counting in memory until Redis returns',
      secrets: secretsOf(tools),
    },
  }
}

const isWithoutKey = ({ hosting: { seal }, metrics: { sealed } }: Tools) =>
  sealed.unreadable > 0 || seal.refusal() !== null

/** Returns the state of the private keys in the database, for an operator who changes SECRETS_KEY. */
function secretsOf({ hosting: { seal }, metrics: { sealed } }: Tools): string {
  const { older, unreadable } = sealed
  if (seal.refusal() !== null) return 'this process lacks the SECRETS_KEY of the others'
  if (unreadable > 0) return `${unreadable} do not open with SECRETS_KEY`
  if (older === null) return 'not known yet, since not every process has reported its keys'
  if (older > 0) return `${older} were sealed with an older key and are being sealed again`
  return seal.fingerprints().length > 1 ? 'all sealed with the first key; remove the older ones' : 'open'
}
