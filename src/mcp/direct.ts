import { AsyncLocalStorage } from 'node:async_hooks'
import {
  classifyInboundRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/server'
import type { Request as HttpRequest, Response as HttpResponse } from 'express'

/**
 * Returns the requests of a body that uses the older revision of the protocol. Returns null for every other body: a
 * body of another revision, a body with a greeting or a notification, or a malformed body. The SDK's HTTP handler must
 * answer every other body.
 */
export function plainRequestsIn({ headers }: HttpRequest, body: unknown): JSONRPCRequest[] | null {
  const version = textOf(headers['mcp-protocol-version'])
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return null
  const route = classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...(version !== undefined && { protocolVersionHeader: version }),
  })
  if (route.kind !== 'legacy') return null
  const messages: unknown[] = Array.isArray(body) ? body : [body]
  const requests = messages.filter(message => isJSONRPCRequest(message))
  const arePlain = requests.length === messages.length && requests.every(isNoGreeting)
  return arePlain && requests.length > 0 ? requests : null
}

const isNoGreeting = ({ method }: JSONRPCRequest) => method !== 'initialize'
const textOf = (header: string | string[] | undefined) => (Array.isArray(header) ? header.join(', ') : header)

export type Exchange = { request: HttpRequest; response: HttpResponse }
/** A request that a server answers, with the id that its client gave it. */
export type Asked = { exchange: Exchange; id: RequestId }
type Waiting = Asked & { answer: (message: JSONRPCMessage) => void }

/**
 * Connects one server to a transport of our own, and returns the function that passes requests to the server. The SDK's
 * own HTTP transport would make a web stream of events for each call: 240 us of CPU instead of 40. A server for each
 * call would cost as much as the call. `makeServer` gets a function that returns the request under way. It finds the
 * request by its asynchronous context, because a Map by id would keep answered requests in memory, as `batch` explains.
 */
export function openDirectServer(makeServer: (asked: () => Asked) => Server) {
  const underWay = new AsyncLocalStorage<Waiting>()
  const waiting = (): Waiting => {
    const found = underWay.getStore()
    if (!found) throw new Error('the MCP server handles a request that the service did not pass to it')
    return found
  }
  const transport: Transport = {
    start: async () => {},
    async send(message) {
      // A request or a notification of the server has a method. Do not use the SDK's check, because it parses the whole
      // answer.
      if ('method' in message) return
      const { id, answer } = waiting()
      answer({ ...message, id })
    },
    close: async () => {},
  }
  const connected = makeServer(waiting).connect(transport)
  // Different clients use the same ids, so the server gets other ones.
  let count = 0

  return async (exchange: Exchange, requests: readonly JSONRPCRequest[]): Promise<JSONRPCMessage[]> => {
    await connected
    const answers = requests.map(request => {
      const { promise, resolve: answer } = Promise.withResolvers<JSONRPCMessage>()
      const asked = { exchange, id: request.id, answer }
      underWay.run(asked, () => transport.onmessage?.({ ...request, id: ++count }))
      return promise
    })
    return Promise.all(answers)
  }
}
