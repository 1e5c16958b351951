import { makeCursor as makeStoreCursor } from '../../core/cursor.ts'
import { deliveriesOf, findDelivery, listDeliveries } from '../../core/events/attempts.ts'
import { requireEndpointChange } from '../../core/events/endpoint-rules.ts'
import {
  addEndpoint,
  changeEndpoint,
  type Endpoint,
  endpointNotFound,
  findEndpoint,
  listEndpoints,
  mostEndpoints,
  removeEndpoint,
  rotateEndpointSecret,
} from '../../core/events/endpoints.ts'
import { readEventNumber, readRewindTo, redeliver, rewind, sendTest } from '../../core/events/redeliver.ts'
import { givenIn } from '../../core/given.ts'
import { parseInt64 } from '../../core/int64.ts'
import { scopeFor } from '../../core/keys/caller.ts'
import { parsePage, toPage } from '../../core/pages.ts'
import type { Project } from '../../core/project.ts'
import { awaitServer } from '../../http/delay.ts'
import { connectionOf, makeCursor, neighboursOf, readCursor, readPage, requireWithin } from '../connection.ts'
import { type Context, storeCaller } from '../context.ts'
import type {
  MutationResolvers,
  QueryResolvers,
  WebhookDeliveriesArgs,
  WebhookDeliveryResolvers,
  WebhookResolvers,
} from '../generated/resolvers.ts'
import { makeId, readId } from '../ids.ts'
import { withinInput } from '../input.ts'

const mostOnPage = 50

const ownerOf = (context: Context): Project => storeCaller(context, scopeFor.manageWebhooks).project

/** Finds the endpoint with a GraphQL id. */
export const ownWebhook = (context: Context, id: string): Promise<Endpoint> =>
  findEndpoint(context.tools.db, ownerOf(context), ownId(id))

/**
 * Finds the attempt to deliver an event to a webhook, by the attempt's GraphQL id. Returns null if the project has no
 * attempt with this id.
 */
export async function ownDelivery(context: Context, id: string) {
  const project = ownerOf(context)
  const own = parseInt64(readId('delivery', id) ?? '')
  return own === null ? null : findDelivery(context.tools.db, project, own)
}

function ownId(id: string): string {
  const own = readId('webhook', id)
  if (own === null || own !== own.toLowerCase()) throw endpointNotFound()
  return own
}

export const webhookQueries = {
  async webhooks(_parent, args, context) {
    const project = ownerOf(context)
    const { limit, after, isBackward, names } = readPage(args, mostEndpoints)
    requireWithin(limit, mostOnPage, names.limit)
    const place = after ? readCursor('webhook', project, after, names.after) : null
    // A project has few endpoints, so read them all.
    const all = await listEndpoints(context.tools.db, project)
    const isBeyond = (key: string) => place === null || (isBackward ? key < place : key > place)
    const rest = all.filter(endpoint => isBeyond(placeInList(endpoint)))
    const nodes = isBackward ? rest.slice(-limit) : rest.slice(0, limit)
    return connectionOf(nodes, neighboursOf({ after: place, isBackward }, rest.length > limit), endpoint =>
      makeCursor('webhook', project, placeInList(endpoint)),
    )
  },

  webhook: (_parent, { id }, context) => ownWebhook(context, id),
} satisfies QueryResolvers

/** The sort key of an endpoint. `listEndpoints` returns the endpoints in the order of this key. */
const placeInList = ({ createdAt, id }: Endpoint) => `${createdAt.toISOString()} ${id}`

export const webhookMutations = {
  async webhookCreate(_parent, { input }, context) {
    const { endpoint, secret } = await withinInput(() =>
      addEndpoint(context.tools.webhooks, ownerOf(context), givenIn(input)),
    )
    return { webhook: endpoint, secret }
  },

  async webhookUpdate(_parent, { input: { id, ...input } }, context) {
    const project = ownerOf(context)
    const change = requireEndpointChange('input', givenIn(input, 'description'))
    const { webhooks } = context.tools
    return { webhook: await withinInput(() => changeEndpoint(webhooks, project, ownId(id), change)) }
  },

  async webhookDelete(_parent, { input: { id } }, context) {
    await removeEndpoint(context.tools.db, ownerOf(context), ownId(id))
    return { deletedId: id }
  },

  async webhookRotateSecret(_parent, { input: { id } }, context) {
    const project = ownerOf(context)
    const { endpoint, secret } = await rotateEndpointSecret(context.tools.webhooks, project, ownId(id))
    return { webhook: endpoint, secret }
  },

  webhookTest: (_parent, { input: { id } }, context) =>
    awaitServer(context.response, sendTest(context.tools.webhooks, ownerOf(context), ownId(id))),

  async webhookRedeliver(_parent, { input: { id, event } }, context) {
    const { webhooks, jobs } = context.tools
    const project = ownerOf(context)
    await withinInput(() => redeliver(webhooks, project, ownId(id), readEventNumber('event', event)))
    jobs.wake('webhooks', project.id)
    return { webhook: await ownWebhook(context, id) }
  },

  async webhookRewind(_parent, { input: { id, after, since } }, context) {
    const { webhooks, jobs } = context.tools
    const project = ownerOf(context)
    const webhook = await withinInput(() =>
      rewind(webhooks, project, ownId(id), readRewindTo(after ?? null, since ?? null)),
    )
    jobs.wake('webhooks', project.id)
    return { webhook }
  },
} satisfies MutationResolvers

export const Webhook = {
  id: endpoint => makeId('webhook', endpoint.id),
  delivered: endpoint => String(endpoint.delivered),
  disabledWhy: endpoint => endpoint.disabledWhy as 'gone' | 'failing' | null,
  async deliveries(endpoint, args, context) {
    const project = ownerOf(context)
    const list = deliveriesOf(endpoint)
    const pageArgs = readPage(args, 20)
    const page = { ...parsePage(list, project, pageArgs.names, pageArgs), isBackward: pageArgs.isBackward }
    const read = await listDeliveries(context.tools.db, endpoint.id, { ...page, limit: page.limit + 1 })
    const found = toPage(list, project, page, read)
    return connectionOf(found.items, neighboursOf(page, found.hasMore), ({ id }) =>
      makeStoreCursor(project, id, list),
    )
  },
} satisfies WebhookResolvers

/** Checks the arguments of `Webhook.deliveries` without the cursor, which is only valid for one endpoint. */
export function checkDeliveries(args: Partial<WebhookDeliveriesArgs>, context: Context): void {
  const { limit, names } = readPage(args, 20)
  parsePage('deliveries of any', ownerOf(context), names, { limit, after: null })
}

export const WebhookDelivery = {
  id: delivery => makeId('delivery', String(delivery.id)),
  event: delivery => String(delivery.eventNumber),
  type: delivery => delivery.eventType,
} satisfies WebhookDeliveryResolvers
