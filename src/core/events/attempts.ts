import type { PrismaClient, WebhookDelivery, WebhookEndpoint } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import type { Outgoing, OutgoingAnswer } from '../../tools/outgoing.ts'
import type { PageQuery } from '../pages.ts'
import type { Project } from '../project.ts'
import { toStorable } from '../text.ts'
import { forgetDeliveries, mostDeliveries } from './delivery-retention.ts'
import { endpointLabel, type SecretSeal } from './endpoints.ts'
import type { SentEvent } from './sent-events.ts'
import { signedHeaders } from './signature.ts'

/**
 * One attempt in this many also deletes the endpoint's oldest attempts, because finding them reads the index entries of
 * all attempts that are kept. The attempt is chosen at random, so that the processes need not count.
 */
const attemptsOfACleanUp = 500

/** Sends the event once and records the attempt. */
export async function attempt(
  { db, clock, outgoing }: { db: PrismaClient; clock: Clock; outgoing: Outgoing },
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
  // If the endpoint was removed in the meantime, ignore the error: its deliveries were deleted with it.
  await db.webhookDelivery
    .createMany({ data: { ...data, answer: toStorable(answer.excerpt) } })
    .catch(ignoreRemoved)
  if (Math.random() * attemptsOfACleanUp < 1) await forgetDeliveries(db, endpoint.id, mostDeliveries)
  return answer
}

function ignoreRemoved(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'P2003')) throw error
}

type Opening = { clock: Clock; seal: Pick<SecretSeal, 'open'> }

/** Returns the endpoint's secrets; null if no key of SECRETS_KEY opens them. */
export function openSecrets(tools: Opening, endpoint: WebhookEndpoint): string[] | null {
  try {
    return secretsOf(tools, endpoint)
  } catch {
    return null
  }
}

/** Returns the new secret and, until its end, the previous one. Requests are signed with both. */
function secretsOf({ clock, seal }: Opening, endpoint: WebhookEndpoint): string[] {
  const { id, sealedSecret, sealedPreviousSecret, previousSecretEndsAt } = endpoint
  const isOldValid = sealedPreviousSecret !== null && (previousSecretEndsAt?.getTime() ?? 0) > clock.now()
  const secrets = [seal.open(sealedSecret, endpointLabel(id))]
  if (!isOldValid) return secrets
  try {
    secrets.push(seal.open(sealedPreviousSecret, endpointLabel(id)))
  } catch {
    // If the previous secret cannot be decrypted, sign only with the new one.
  }
  return secrets
}

export type Delivery = Omit<WebhookDelivery, 'endpointId'>

/** Returns the name of the list of an endpoint's attempts in its cursors, so no other endpoint's list accepts them. */
export const deliveriesOf = ({ id }: Pick<WebhookEndpoint, 'id'>) => `deliveries of ${id}` as const

/** Lists the attempts of an endpoint, newest first; for a backward page, oldest first. */
export function listDeliveries(
  db: PrismaClient,
  endpointId: string,
  { limit, after, isBackward = false }: PageQuery,
): Promise<WebhookDelivery[]> {
  return db.webhookDelivery.findMany({
    where: { endpointId, ...(after !== null && { id: isBackward ? { gt: after } : { lt: after } }) },
    orderBy: { id: isBackward ? 'asc' : 'desc' },
    take: limit,
  })
}

/** Finds an attempt of the project; null if it does not exist or was deleted. */
export const findDelivery = (db: PrismaClient, project: Pick<Project, 'id'>, id: bigint) =>
  db.webhookDelivery.findFirst({ where: { id, endpoint: { projectId: project.id } } })
