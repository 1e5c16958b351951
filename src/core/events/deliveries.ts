import { setTimeout as pause } from 'node:timers/promises'
import type { PrismaClient, WebhookEndpoint } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import type { Outgoing } from '../../tools/outgoing.ts'
import { attempt, openSecrets } from './attempts.ts'
import {
  asideOutcomeOf,
  type DeliveryOutcome,
  isResting,
  isSuccess,
  outcomeOf,
  pauseOfAside,
} from './delivery-outcome.ts'
import { endPauseForRedelivery, type Lease, openLease } from './endpoint-lease.ts'
import type { SecretSeal } from './endpoints.ts'
import type { SentEvent } from './sent-events.ts'

export type DeliveryTools = {
  db: PrismaClient
  clock: Clock
  seal: Pick<SecretSeal, 'open'>
  outgoing: Outgoing
  /** Counts one more attempt of the project, and returns how many milliseconds the attempt must wait. */
  delayOf: (projectId: number) => number
  /** Reads events of a project by ascending number. */
  readEvents(projectId: number, after: bigint, limit: number): Promise<SentEvent[]>
}

/** A process releases an endpoint after this time, so that other endpoints get their turn. */
const longestTurnMs = 5_000
const pageSize = 50
const asideAtOnce = 5
/** The pause of an endpoint whose secret this process cannot decrypt. */
const unreadableMs = 60_000

/**
 * Sends the endpoint's set-aside events that are due, then its next events in order, until a failure requires a pause
 * or the turn ends. Then releases the lease.
 */
export async function deliverDue(
  tools: DeliveryTools,
  leased: WebhookEndpoint,
  signal: AbortSignal,
): Promise<void> {
  const lease = openLease(tools, leased)
  const secrets = openSecrets(tools, leased)
  if (secrets === null) {
    // Do not log anything here, because the job that encrypts secrets again reports unreadable ones.
    const nextTryAt = new Date(tools.clock.now() + unreadableMs)
    await lease.write({ progress: { nextTryAt }, isSetAside: false, goesOn: false }, null)
    return lease.release()
  }
  const endsAt = performance.now() + longestTurnMs
  const isOver = () => signal.aborted || performance.now() > endsAt

  if (await deliverAside(tools, lease, secrets, isOver, signal)) {
    let goesOn = true
    while (goesOn && !isOver()) {
      const events = await tools.readEvents(leased.projectId, lease.endpoint.delivered, pageSize)
      goesOn = events.length > 0
      for (const event of events) {
        if (isOver() || !goesOn) break
        if (!wants(leased, event)) {
          lease.endpoint.delivered = event.number
          continue
        }
        await waitForTurn(tools, leased, signal)
        const answer = await attempt(tools, lease.endpoint, event, secrets, signal)
        // Do not record an aborted attempt: the next process repeats it, and the receiver recognises the event by its
        // id.
        if (signal.aborted) break
        const outcome = outcomeOf(lease.endpoint, event.number, answer, tools.clock.now())
        goesOn = await record(tools, lease, outcome, event.number)
      }
    }
  }
  await lease.release()
}

/**
 * Sends the endpoint's set-aside events that are due. If the endpoint rests, sends only one event. Returns false if the
 * turn must end, because the endpoint still rests, asked for a pause or was disabled, or because the process lost the
 * lease.
 */
async function deliverAside(
  tools: DeliveryTools,
  lease: Lease,
  secrets: readonly string[],
  isOver: () => boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, clock } = tools
  const { endpoint } = lease
  const due = await db.setAsideEvent.findMany({
    where: { endpointId: endpoint.id, nextTryAt: { lte: new Date(clock.now()) } },
    orderBy: [{ nextTryAt: 'asc' }, { eventNumber: 'asc' }],
    take: isResting(endpoint) ? 1 : asideAtOnce,
  })
  for (const { eventNumber, attempts, nextTryAt } of due) {
    if (isOver()) return true
    // Change the row only if the owner has not changed it during the attempt, by a redelivery or a change of the
    // endpoint: the owner's change wins.
    const where = { endpointId: endpoint.id, eventNumber, attempts, nextTryAt }
    const [event] = await tools.readEvents(endpoint.projectId, eventNumber - 1n, 1)
    if (event?.number !== eventNumber) {
      // The event was too old and has been deleted.
      await db.setAsideEvent.deleteMany({ where })
      continue
    }
    await waitForTurn(tools, endpoint, signal)
    const answer = await attempt(tools, endpoint, event, secrets, signal)
    if (signal.aborted) return true
    const now = clock.now()
    const outcome = asideOutcomeOf(endpoint, answer, now)
    const pause = isSuccess(answer) ? null : pauseOfAside(attempts + 1, outcome.progress, now)
    if (pause === null) await db.setAsideEvent.deleteMany({ where })
    else
      await db.setAsideEvent.updateMany({
        where,
        data: { attempts: attempts + 1, nextTryAt: new Date(now + pause) },
      })
    if (!(await record(tools, lease, outcome, null))) return false
  }
  return true
}

/**
 * Writes the outcome of an attempt. Returns false if the turn must end. If the owner has requested a redelivery during
 * the attempt, the endpoint makes no pause.
 */
async function record(
  { db }: DeliveryTools,
  lease: Lease,
  outcome: DeliveryOutcome,
  number: bigint | null,
): Promise<boolean> {
  const isWritten = await lease.write(outcome, number)
  if (isWritten && outcome.progress.nextTryAt) await endPauseForRedelivery(db, lease.endpoint.id)
  return isWritten && outcome.goesOn
}

/**
 * Limits the attempts per project. One event causes an attempt for each endpoint of the project, so without a limit
 * these attempts would take the CPU time of all other projects.
 */
async function waitForTurn(
  { delayOf }: DeliveryTools,
  { projectId }: Pick<WebhookEndpoint, 'projectId'>,
  signal: AbortSignal,
): Promise<void> {
  const ms = delayOf(projectId)
  if (ms > 0) await pause(ms, undefined, { signal }).catch(() => {})
}

/** An endpoint without types receives all events. */
const wants = ({ types }: WebhookEndpoint, { type }: SentEvent) => types.length === 0 || types.includes(type)
