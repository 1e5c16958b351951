import type acme from 'acme-client'
import { AcmeRefusal, cleaned, mistakeOf, understood } from './acme-errors.ts'
import type { OrderStep, PublishChallenge } from './certificate-authority.ts'

type Challenge = acme.Authorization['challenges'][number]

/** An order at the authority `who`. */
export type AcmeOrder = { client: acme.Client; url: string; who: string }

/** Takes the next step of an order that any process may have sent. */
export async function advanceOrder(
  { client, url, who }: AcmeOrder,
  csr: Buffer,
  publish: PublishChallenge,
  now: number,
): Promise<OrderStep> {
  const order = await understood(who, client.getOrder({ url } as acme.Order)).catch(error => {
    if (error instanceof AcmeRefusal && (error.status === 404 || error.status === 403)) return null
    throw error
  })
  if (!order) return { outcome: 'gone' }
  switch (order.status) {
    case 'pending':
    case 'invalid':
      return proveControl(client, order, publish, { now, who })
    case 'ready':
      return patience(await understood(who, client.finalizeOrder(order, csr)), now, true)
    case 'processing':
      return patience(order, now)
    case 'valid':
      return { outcome: 'issued', chain: readChain(await understood(who, client.getCertificate(order)), who) }
    default:
      throw mistakeOf(who, 'it answered with no order', withoutUrl(order))
  }
}

/** The library parses every answer in JSON, whatever content type it has, so the chain may be an object. */
function readChain(chain: unknown, who: string): string {
  if (typeof chain === 'string') return chain
  throw mistakeOf(who, 'it answered with no certificate', chain)
}

/** Removes the URL that the library adds to each order. */
function withoutUrl({ url: _, ...order }: acme.Order): object {
  return order
}

async function proveControl(
  client: acme.Client,
  order: acme.Order,
  publish: PublishChallenge,
  { now, who }: { now: number; who: string },
): Promise<OrderStep> {
  let moved = false
  for (const authorization of await understood(who, client.getAuthorizations(order))) {
    const challenge = authorization.challenges.find(one => one.type === 'http-01')
    if (!challenge) return { outcome: 'invalid', message: `${who} offers no http-01 challenge.` }
    if (!['pending', 'valid'].includes(authorization.status)) {
      const error = challenge.error as { detail?: string } | undefined
      return {
        outcome: 'invalid',
        message: cleaned(error?.detail) || `the authorization is ${authorization.status}`,
      }
    }
    if (authorization.status === 'pending' && challenge.status === 'pending') {
      const response = await client.getChallengeKeyAuthorization(challenge)
      const ask = () => askToValidate({ client, who }, order, authorization, challenge)
      const isFirst = await publish(challenge.token, response, ask)
      moved ||= isFirst
    }
  }
  if (order.status === 'invalid') {
    return {
      outcome: 'invalid',
      message: cleaned((order.error as { detail?: string })?.detail) || 'the order is invalid',
    }
  }
  return patience(order, now, moved)
}

async function askToValidate(
  { client, who }: Pick<AcmeOrder, 'client' | 'who'>,
  order: acme.Order,
  { url }: acme.Authorization,
  challenge: Challenge,
): Promise<void> {
  try {
    await understood(who, client.completeChallenge(challenge))
  } catch (error) {
    if (!(error instanceof AcmeRefusal)) throw error
    // If the validation ended just before the request, the next step reads its result.
    const authorizations = await understood(who, client.getAuthorizations(order))
    if (authorizations.some(now => now.url === url && now.status === 'pending')) throw error
  }
}

function patience(order: acme.Order, now: number, moved = false): OrderStep {
  const retryAt = (order as acme.Order & { retryAt?: Date | null }).retryAt
  return { outcome: 'pending', waitMs: retryAt ? Math.max(0, retryAt.getTime() - now) : 0, moved }
}
