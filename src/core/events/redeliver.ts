import { manage } from '../acts.ts'
import { invalidInput, StoreError } from '../errors.ts'
import { parseInt64 } from '../int64.ts'
import type { Project } from '../project.ts'
import { toStorable } from '../text.ts'
import { parseTime, timeRule } from '../time.ts'
import { attempt, openSecrets } from './attempts.ts'
import type { DeliveryTools } from './deliveries.ts'
import { isResting } from './delivery-outcome.ts'
import { type Endpoint, endpointNotFound, findEndpoint, freshStart, lastNumber } from './endpoints.ts'
import { lastBefore } from './rewind-place.ts'
import type { SentEvent } from './sent-events.ts'

/** Parses the number of an event, which an API passes as text; 0 for the log's beginning. */
export function readEventNumber(field: string, text: string): bigint {
  const number = parseInt64(text)
  if (number !== null && number >= 0n) return number
  throw invalidInput([{ field, message: 'must be the number of an event' }])
}

/**
 * A hundred years. The next attempt of a redelivery is set to a time so long ago, because set-aside events are sent in
 * the order of this time, and an endpoint that rests gets only the first of them. The time is not a constant: a process
 * whose attempt fails recognises by it that the owner has requested another redelivery during the attempt.
 */
const firstInQueueMs = 100 * 365 * 24 * 60 * 60 * 1000

/**
 * Sends one event again at once, even while the endpoint pauses after failures. The deliveries of other events
 * continue. If the endpoint is still retrying this event, only ends the pause before the next attempt. If the event was
 * set aside, its retries start again, because otherwise seven redeliveries that fail would use them up.
 */
export async function redeliver(
  { db, clock, readEvents }: Pick<DeliveryTools, 'db' | 'clock' | 'readEvents'>,
  project: Project,
  id: string,
  number: bigint,
): Promise<void> {
  const endpoint = await findEndpoint(db, project, id)
  if (!endpoint.enabled || endpoint.disabledAt) {
    const message = 'cannot be sent while the endpoint is disabled; enable the endpoint first'
    throw invalidInput([{ field: 'event', message }])
  }
  const [event] = (await readEvents(project.id, number - 1n, 1, [])).events
  if (event?.number === number && isRetried(endpoint, event)) {
    if (await rests()) await putFirst()
    // Change the endpoint only if it has not received the event yet, because a process may have delivered the event in
    // the meantime.
    await endPause({ id: endpoint.id, delivered: endpoint.delivered })
    return
  }
  if (event?.number !== number || number > endpoint.delivered) {
    const message =
      'must be the number of a stored event that was already sent to this endpoint; later events will be sent in order'
    throw invalidInput([{ field: 'event', message }])
  }
  await putFirst()
  await endPause({ id: endpoint.id })

  /** An endpoint that rests gets its next event only if no set-aside event is due. */
  async function rests(): Promise<boolean> {
    const row = await db.webhookEndpoint.findUnique({
      where: { id: endpoint.id },
      select: { setAsideInRow: true },
    })
    return row !== null && isResting(row)
  }

  async function putFirst(): Promise<void> {
    const nextTryAt = new Date(clock.now() - firstInQueueMs)
    await db.setAsideEvent.upsert({
      where: { endpointId_eventNumber: { endpointId: endpoint.id, eventNumber: number } },
      create: { endpointId: endpoint.id, eventNumber: number, nextTryAt },
      update: { attempts: 0, nextTryAt },
    })
  }

  async function endPause(where: { id: string; delivered?: bigint }): Promise<void> {
    await db.webhookEndpoint.updateMany({ where, data: { nextTryAt: new Date(clock.now()) } })
  }
}

/**
 * True if the event is being retried. While an endpoint retries an event, `delivered` is the number just before the
 * event's number.
 */
const isRetried = ({ delivered, failingSince, types }: Endpoint, { number, type }: SentEvent) =>
  failingSince !== null && number === delivered + 1n && (types.length === 0 || types.includes(type))

/** Where to continue: after an event's number, or with the first event at or after a time. */
export type RewindTo = { after: bigint } | { since: Date }

/** Parses where to continue. The number of an event is given as text. */
export function readRewindTo(after: string | null, since: string | Date | null): RewindTo {
  if (after !== null && since !== null)
    throw invalidInput([{ field: 'since', message: 'must not be given together with after' }])
  if (after === null && since === null)
    throw invalidInput([{ field: 'after', message: 'or since must be given' }])
  if (since === null) return { after: readEventNumber('after', after ?? '') }
  const time = typeof since === 'string' ? parseTime(since) : since
  if (time === null) throw invalidInput([{ field: 'since', message: timeRule }])
  return { since: time }
}

/** Moves the endpoint's cursor, so that the endpoint receives all events after the cursor again. */
export async function rewind(
  { db, clock }: Pick<DeliveryTools, 'db' | 'clock'>,
  project: Project,
  id: string,
  to: RewindTo,
): Promise<Endpoint> {
  const endpoint = await findEndpoint(db, project, id)
  if ('since' in to && to.since.getTime() > clock.now())
    throw invalidInput([{ field: 'since', message: 'must not be in the future' }])
  const delivered = 'since' in to ? await lastBefore(db, project, to.since) : to.after
  if ('after' in to && (delivered < 0n || delivered > (await lastNumber(db, project)))) {
    throw invalidInput([
      { field: 'after', message: 'must be the number of an event, or 0 for all that are kept' },
    ])
  }
  const where = { id, projectId: project.id }
  const data = { ...freshStart, delivered }
  const { count } = await manage(db, tx => tx.webhookEndpoint.updateMany({ where, data }))
  if (count === 0) throw endpointNotFound()
  return findEndpoint(db, project, endpoint.id)
}

export type TestResult = { status: number | null; ms: number; answer: string; problem: string | null }

/** Sends an event of the type `webhook.test` now and returns the result. The event has no number and is not retried. */
export async function sendTest(tools: DeliveryTools, project: Project, id: string): Promise<TestResult> {
  const { url } = await findEndpoint(tools.db, project, id)
  const row = await tools.db.webhookEndpoint.findFirst({ where: { id, projectId: project.id } })
  if (!row) throw endpointNotFound()
  const eventId = `test_${crypto.randomUUID()}`
  const timestamp = new Date(tools.clock.now()).toISOString()
  const body = JSON.stringify({
    id: eventId,
    type: 'webhook.test',
    timestamp,
    data: { message: 'It works.' },
  })
  const event = { id: eventId, number: 0n, type: 'webhook.test', body }
  const secrets = openSecrets(tools, row)
  if (!secrets)
    throw new StoreError('unavailable', 'The secret of this endpoint cannot be decrypted; rotate it.', {
      // An operator may add the missing key to SECRETS_KEY; deliveries try again after a minute too.
      retryAfterSeconds: 60,
    })
  const answer = await attempt(tools, { id, url }, event, secrets, new AbortController().signal)
  return { status: answer.status, ms: answer.ms, answer: toStorable(answer.excerpt), problem: answer.problem }
}
