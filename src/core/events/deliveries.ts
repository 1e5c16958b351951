import type { PrismaClient, WebhookDelivery, WebhookEndpoint } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import type { Outgoing, OutgoingAnswer } from '../../tools/outgoing.ts'
import type { Db } from '../db.ts'
import { asideOutcomeOf, isResting, isSuccess, type Outcome, outcomeOf } from './delivery-outcome.ts'
import { endpointLabel, type SecretSeal } from './endpoints.ts'
import { pauseAside } from './retry-schedule.ts'
import type { SentEvent } from './sent-events.ts'
import { signedHeaders } from './signature.ts'

export type DeliveryTools = {
  db: PrismaClient
  clock: Clock
  seal: Pick<SecretSeal, 'open'>
  outgoing: Outgoing
  /** Reads events of a project by ascending number. */
  readEvents(projectId: number, after: bigint, limit: number): Promise<SentEvent[]>
}

/** Longer than an attempt may take, so that a running process does not lose its lease. */
const leaseMs = 60_000
/** A lease is returned after this time, so that the endpoints take turns. */
const longestTurnMs = 5_000
const pageSize = 50
const asideAtOnce = 5
/** The pause of an endpoint whose secret this process cannot open. */
const unreadableMs = 60_000

/**
 * Leases endpoints that have an event to send, in turns by project: the first of each project, then the second of each.
 */
export function claimDueEndpoints(db: PrismaClient, clock: Clock, most: number): Promise<WebhookEndpoint[]> {
  const now = new Date(clock.now())
  const until = new Date(clock.now() + leaseMs)
  return db.$queryRaw<{ id: string; lease: string }[]>`
    WITH due AS (
      SELECT e.id, coalesce(e.leased_until, e.created_at) AS since, row_number() OVER (PARTITION BY e.project_id ORDER BY coalesce(e.leased_until, e.created_at)) AS turn
      FROM webhook_endpoints AS e LEFT JOIN event_numbers AS n USING (project_id)
      WHERE e.enabled AND e.disabled_at IS NULL
        AND (e.leased_until IS NULL OR e.leased_until <= ${now}) AND (e.next_try_at IS NULL OR e.next_try_at <= ${now})
        AND (n.last > e.delivered OR EXISTS (
          SELECT FROM set_aside_events AS s WHERE s.endpoint_id = e.id AND s.next_try_at <= ${now}))
    )
    UPDATE webhook_endpoints AS e SET lease = gen_random_uuid(), leased_until = ${until}
    WHERE e.id = ANY (ARRAY(SELECT id FROM due ORDER BY turn, since LIMIT ${most}))
      AND (e.leased_until IS NULL OR e.leased_until <= ${now})
    RETURNING e.id, e.lease`.then(rows =>
    // By the lease too: an owner may have taken it away since.
    db.webhookEndpoint.findMany({ where: { OR: rows.map(({ id, lease }) => ({ id, lease })) } }),
  )
}

/** Sends the endpoint's due events, one after the other, until one fails or the turn ends. Then returns the lease. */
export async function deliverDue(
  tools: DeliveryTools,
  leased: WebhookEndpoint,
  signal: AbortSignal,
): Promise<void> {
  const lease = openLease(tools, leased)
  const secrets = openSecrets(tools, leased)
  if (secrets === null) {
    // The job that seals anew reports it.
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
        const answer = await attempt(tools, lease.endpoint, event, secrets, signal)
        // A broken attempt counts as none: the next process repeats it, and the receiver knows its id.
        if (signal.aborted) break
        const outcome = outcomeOf(lease.endpoint, event.number, answer, tools.clock.now())
        goesOn = (await lease.write(outcome, event.number)) && outcome.goesOn
      }
    }
  }
  await lease.release()
}

/**
 * Sends the events that were set aside and are due; only one while the endpoint rests. Returns false if the turn is over:
 * the endpoint rests on, was disabled, or the lease is lost.
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
    orderBy: { eventNumber: 'asc' },
    take: isResting(endpoint) ? 1 : asideAtOnce,
  })
  for (const { eventNumber, attempts } of due) {
    if (isOver()) return true
    const where = { endpointId: endpoint.id, eventNumber }
    const [event] = await tools.readEvents(endpoint.projectId, eventNumber - 1n, 1)
    if (event?.number !== eventNumber) {
      // The event is older than what is kept.
      await db.setAsideEvent.deleteMany({ where })
      continue
    }
    const answer = await attempt(tools, endpoint, event, secrets, signal)
    if (signal.aborted) return true
    const now = clock.now()
    const outcome = asideOutcomeOf(endpoint, answer, now)
    const pause = isSuccess(answer) ? null : pauseAside(attempts + 1)
    if (pause === null) await db.setAsideEvent.deleteMany({ where })
    else
      await db.setAsideEvent.updateMany({
        where,
        data: { attempts: attempts + 1, nextTryAt: new Date(now + pause) },
      })
    if (!(await lease.write(outcome, null)) || !outcome.goesOn) return false
  }
  return true
}

const wants = ({ types }: WebhookEndpoint, { type }: SentEvent) => types.length === 0 || types.includes(type)

/** Sends the event once and records the attempt. */
export async function attempt(
  { db, clock, outgoing }: Pick<DeliveryTools, 'db' | 'clock' | 'outgoing'>,
  endpoint: Pick<WebhookEndpoint, 'id' | 'url'>,
  { id, number, type, body }: SentEvent,
  secrets: readonly string[],
  signal: AbortSignal,
): Promise<OutgoingAnswer> {
  const at = clock.now()
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'animal-store-webhooks/1',
    ...signedHeaders(id, at, body, secrets),
  }
  const answer = await outgoing.post(new URL(endpoint.url), headers, body, signal)
  if (signal.aborted) return answer
  const { status, ms, problem } = answer
  const data = {
    endpointId: endpoint.id,
    eventNumber: number,
    eventType: type,
    at: new Date(at),
    status,
    ms,
    problem,
  }
  // A removed endpoint has no deliveries any more.
  await db.webhookDelivery
    .createMany({ data: { ...data, answer: storable(answer.excerpt) } })
    .catch(ignoreRemoved)
  return answer
}

function ignoreRemoved(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'P2003')) throw error
}

const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd')

/** Returns null if no key of SECRETS_KEY opens them. */
export function openSecrets(
  tools: Pick<DeliveryTools, 'clock' | 'seal'>,
  endpoint: WebhookEndpoint,
): string[] | null {
  try {
    return secretsOf(tools, endpoint)
  } catch {
    return null
  }
}

/** Both secrets sign until the previous one ends. */
function secretsOf(
  { clock, seal }: Pick<DeliveryTools, 'clock' | 'seal'>,
  endpoint: WebhookEndpoint,
): string[] {
  const { id, sealedSecret, sealedPreviousSecret, previousSecretEndsAt } = endpoint
  const isOldValid = sealedPreviousSecret !== null && (previousSecretEndsAt?.getTime() ?? 0) > clock.now()
  const secrets = [seal.open(sealedSecret, endpointLabel(id))]
  if (!isOldValid) return secrets
  try {
    secrets.push(seal.open(sealedPreviousSecret, endpointLabel(id)))
  } catch {
    // Its key is lost; the new secret signs alone.
  }
  return secrets
}

type Lease = {
  endpoint: WebhookEndpoint
  /** Writes an outcome and extends the lease. Returns false if another process holds it, or the owner ended it. */
  write(outcome: Outcome, number: bigint | null): Promise<boolean>
  release(): Promise<void>
}

function openLease({ db, clock }: DeliveryTools, leased: WebhookEndpoint): Lease {
  const endpoint = { ...leased }
  // An owner who moves the cursor or enables the endpoint anew takes the lease away: his change wins.
  const where = { id: leased.id, lease: leased.lease }
  return {
    endpoint,
    async write({ progress, isSetAside }, number) {
      Object.assign(endpoint, progress)
      const leasedUntil = new Date(clock.now() + leaseMs)
      const data = { ...progress, delivered: endpoint.delivered, leasedUntil }
      if (!isSetAside || number === null)
        return (await db.webhookEndpoint.updateMany({ where, data })).count > 0
      return db.$transaction(async tx => {
        const { count } = await tx.webhookEndpoint.updateMany({ where, data })
        const nextTryAt = new Date(clock.now() + (pauseAside(0) ?? 0))
        const row = { endpointId: endpoint.id, eventNumber: number, nextTryAt }
        if (count > 0) await tx.setAsideEvent.createMany({ data: row, skipDuplicates: true })
        return count > 0
      })
    },
    async release() {
      // Its end orders the turns: who was served longest ago comes first.
      const data = { lease: null, leasedUntil: new Date(clock.now()), delivered: endpoint.delivered }
      await db.webhookEndpoint.updateMany({ where, data })
    },
  }
}

export type Delivery = Omit<WebhookDelivery, 'endpointId'>

/** Lists the attempts of an endpoint, newest first. */
export function listDeliveries(
  db: PrismaClient,
  endpointId: string,
  { limit, before }: { limit: number; before: bigint | null },
): Promise<WebhookDelivery[]> {
  return db.webhookDelivery.findMany({
    where: { endpointId, ...(before !== null && { id: { lt: before } }) },
    orderBy: { id: 'desc' },
    take: limit,
  })
}

const keptMs = 30 * 24 * 60 * 60 * 1000
const forgottenAtOnce = 10_000

/** Deletes attempts older than 30 days, in pieces. */
export async function forgetOldDeliveries(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptMs)
  await db.$executeRaw`
    DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_deliveries WHERE at < ${before} ORDER BY at LIMIT ${forgottenAtOnce}))`
}
