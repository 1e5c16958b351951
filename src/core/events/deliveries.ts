import { setTimeout as pause } from 'node:timers/promises'
import { runPieceInTurn } from '../../database/pieces.ts'
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
import { type Lease, openLease } from './endpoint-lease.ts'
import type { SecretSeal } from './endpoints.ts'
import type { SentEvents } from './sent-events.ts'
import { giveUp } from './set-aside.ts'

export type DeliveryTools = {
  db: PrismaClient
  clock: Clock
  seal: Pick<SecretSeal, 'open'>
  outgoing: Outgoing
  /** Counts one more attempt of the project, and returns how many milliseconds the attempt must wait. */
  delayOf: (projectId: number) => number
  /** Reads events of a project by ascending number; only of these types, if there are any. */
  readEvents(projectId: number, after: bigint, limit: number, types: readonly string[]): Promise<SentEvents>
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

  if (await deliverAside(tools, lease, secrets, isOver, signal))
    await deliverInOrder(tools, lease, secrets, isOver, signal)
  await lease.release()
}

/**
 * Sends the endpoint's next events in order. If the endpoint is far behind, for example after a rewind, only one such
 * endpoint of the project reads at a time. Without this limit the endpoints would read as fast as they can: only attempts
 * are limited, and events of unwanted types cause no attempts.
 */
async function deliverInOrder(
  tools: DeliveryTools,
  lease: Lease,
  secrets: readonly string[],
  isOver: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  const { endpoint } = lease
  let isFarBehind = false
  while (!isOver()) {
    const { projectId, types } = endpoint
    const after = endpoint.delivered
    const read = () => tools.readEvents(projectId, after, pageSize, types)
    const { events, reached }: SentEvents = await (isFarBehind ? runPieceInTurn(projectId, read) : read())
    for (const event of events) {
      if (isOver()) return
      // The endpoint does not want the events before this one.
      endpoint.delivered = event.number - 1n
      await waitForTurn(tools, endpoint, signal)
      const answer = await attempt(tools, endpoint, event, secrets, signal)
      // Do not record an aborted attempt: the next process repeats it, and the receiver recognises the event by its
      // id.
      if (signal.aborted) return
      const outcome = outcomeOf(endpoint, event.number, answer, tools.clock.now())
      if (!(await record(lease, outcome, event.number))) return
    }
    if (reached === null) return
    endpoint.delivered = reached
    isFarBehind = reached - after >= pageSize
  }
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
    const [event] = (await tools.readEvents(endpoint.projectId, eventNumber - 1n, 1, [])).events
    if (event?.number !== eventNumber) {
      // The event was too old and has been deleted.
      if (await giveUp(db, endpoint.id, where)) endpoint.failingSince = null
      continue
    }
    await waitForTurn(tools, endpoint, signal)
    const answer = await attempt(tools, endpoint, event, secrets, signal)
    if (signal.aborted) return true
    // While the endpoint rested, its owner may have requested a redelivery of the next event.
    if (isSuccess(answer) && eventNumber === endpoint.delivered + 1n) endpoint.delivered = eventNumber
    const now = clock.now()
    const outcome = asideOutcomeOf(endpoint, answer, now)
    const pause = isSuccess(answer) ? null : pauseOfAside(attempts + 1, outcome.progress, now)
    if (isSuccess(answer)) await db.setAsideEvent.deleteMany({ where })
    else if (pause !== null)
      await db.setAsideEvent.updateMany({
        where,
        data: { attempts: attempts + 1, nextTryAt: new Date(now + pause) },
      })
    const goesOn = await record(lease, outcome, null)
    // Give up an event after the outcome is recorded, because the outcome of a failure makes the endpoint failing.
    const isGivenUp = !isSuccess(answer) && pause === null
    if (isGivenUp && (await giveUp(db, endpoint.id, where))) endpoint.failingSince = null
    if (!goesOn) return false
  }
  return true
}

/** Writes the outcome of an attempt. Returns false if the turn must end. */
const record = async (lease: Lease, outcome: DeliveryOutcome, number: bigint | null): Promise<boolean> =>
  (await lease.write(outcome, number)) && outcome.goesOn

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
