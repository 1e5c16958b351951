import type { Request, Response } from 'express'
import { type Delivery, deliveriesOf, listDeliveries } from '../core/events/attempts.ts'
import { requireEndpointChange } from '../core/events/endpoint-rules.ts'
import {
  addEndpoint,
  changeEndpoint,
  type Endpoint,
  findEndpoint,
  listEndpoints,
  removeEndpoint,
  rotateEndpointSecret,
} from '../core/events/endpoints.ts'
import { readEventNumber, readRewindTo, redeliver, rewind, sendTest } from '../core/events/redeliver.ts'
import { type Caller, requireScope, scopeFor } from '../core/keys/caller.ts'
import { parsePage, toPage } from '../core/pages.ts'
import { answerEmpty, answerJson } from '../http/answer.ts'
import { keepNowhere } from '../http/caching.ts'
import { awaitServer } from '../http/delay.ts'
import { addHeader } from '../http/headers.ts'
import { callerOf } from '../http/locals.ts'
import { requestUrl } from '../http/request-url.ts'
import type { Tools } from '../tools.ts'
import { answerList, readLimit } from './answer-list.ts'
import { readJsonObject } from './json-input.ts'
import { readParameters, requireNoParameters } from './parameters.ts'

const members = ['url', 'description', 'types', 'enabled'] as const

/** The routes of webhook endpoints. Reading and changing them need the same scope, webhooks:write. */
export function webhookRoutes(tools: Tools) {
  const { db, webhooks } = tools
  const callerWith = (response: Response): Caller => {
    const caller = callerOf(response)
    requireScope(caller, scopeFor.manageWebhooks)
    return caller
  }
  const idOf = (request: Request) => String(request.params.webhookId)

  return {
    async list(request: Request, response: Response): Promise<void> {
      const { project } = callerWith(response)
      requireNoParameters(request)
      const endpoints = await listEndpoints(db, project)
      return answerJson(response, 200, `[${endpoints.map(each => endpointJson(each)).join(',')}]`)
    },

    async add(request: Request, response: Response): Promise<void> {
      const { project } = callerWith(response)
      const { endpoint, secret } = await addEndpoint(
        webhooks,
        project,
        await readJsonObject(tools, request, response, members),
      )
      addHeader(response, 'Location', `${requestUrl(tools.config, request)}/v1/webhooks/${endpoint.id}`)
      keepNowhere(response)
      return answerJson(response, 201, endpointJson(endpoint, secret))
    },

    async get(request: Request, response: Response): Promise<void> {
      const { project } = callerWith(response)
      requireNoParameters(request)
      return answerJson(response, 200, endpointJson(await findEndpoint(db, project, idOf(request))))
    },

    async change(request: Request, response: Response): Promise<void> {
      const { project } = callerWith(response)
      const input = await readJsonObject(tools, request, response, members)
      const change = requireEndpointChange('body', input)
      const endpoint = await changeEndpoint(webhooks, project, idOf(request), change)
      return answerJson(response, 200, endpointJson(endpoint))
    },

    async remove(request: Request, response: Response): Promise<void> {
      const { project } = callerWith(response)
      await removeEndpoint(db, project, idOf(request))
      answerEmpty(response, 204)
    },

    async rotateSecret(request: Request, response: Response): Promise<void> {
      const { project } = callerWith(response)
      const { endpoint, secret } = await rotateEndpointSecret(webhooks, project, idOf(request))
      keepNowhere(response)
      return answerJson(response, 200, endpointJson(endpoint, secret))
    },

    async test(request: Request, response: Response): Promise<void> {
      const { project } = callerWith(response)
      const tested = await awaitServer(response, sendTest(webhooks, project, idOf(request)))
      return answerJson(response, 200, JSON.stringify(tested, withoutNulls))
    },

    async listDeliveries(request: Request, response: Response): Promise<void> {
      const { project } = callerWith(response)
      const { limit, cursor } = readParameters(request.query, ['limit', 'cursor'])
      const names = { limit: 'limit', after: 'cursor' }
      const endpoint = await findEndpoint(db, project, idOf(request))
      const list = deliveriesOf(endpoint)
      const pageQuery = parsePage(list, project, names, { limit: readLimit(limit), after: cursor })
      const found = await listDeliveries(db, endpoint.id, { ...pageQuery, limit: pageQuery.limit + 1 })
      const page = toPage(list, project, pageQuery, found)
      return answerList(tools, request, response, page, deliveryJson, { limit: pageQuery.limit })
    },

    async redeliver(request: Request, response: Response): Promise<void> {
      const { project } = callerWith(response)
      const { event } = await readJsonObject(tools, request, response, ['event'])
      await redeliver(webhooks, project, idOf(request), readEventNumber('event', numberText(event)))
      tools.jobs.wake('webhooks', project.id)
      answerEmpty(response, 204)
    },

    async rewind(request: Request, response: Response): Promise<void> {
      const { project } = callerWith(response)
      const { after, since } = await readJsonObject(tools, request, response, ['after', 'since'])
      const to = readRewindTo(
        after === undefined ? null : numberText(after),
        since === undefined ? null : String(since),
      )
      const endpoint = await rewind(webhooks, project, idOf(request), to)
      tools.jobs.wake('webhooks', project.id)
      return answerJson(response, 200, endpointJson(endpoint))
    },
  }
}

const numberText = (value: unknown) =>
  typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string' ? String(value) : ''

function endpointJson(endpoint: Endpoint, secret?: string): string {
  const { id, url, description, types, enabled, createdAt, previousSecretEndsAt } = endpoint
  const { failingSince, nextTryAt, disabledAt, disabledWhy, delivered } = endpoint
  const shown = {
    id,
    url,
    description,
    types,
    enabled,
    createdAt,
    failingSince,
    nextTryAt,
    disabledAt,
    disabledWhy,
  }
  const text = JSON.stringify({ ...shown, previousSecretEndsAt, ...(secret && { secret }) }, withoutNulls)
  return `${text.slice(0, -1)},"delivered":${delivered}}`
}

const deliveryJson = ({ id, eventNumber, eventType, at, status, ms, answer, problem }: Delivery) =>
  `{"id":${id},"event":${eventNumber},${JSON.stringify({ type: eventType, at, status, ms, answer, problem }, withoutNulls).slice(1)}`

/** Omits null members, as for pets and orders. */
const withoutNulls = (_: string, value: unknown) => (value === null ? undefined : value)
