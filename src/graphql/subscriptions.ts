import { setTimeout as pause } from 'node:timers/promises'
import type { Request, Response } from 'express'
import { type ExecutionResult, GraphQLError, subscribe } from 'graphql'
import { StoreError } from '../core/errors.ts'
import { quietMs } from '../core/events/streams.ts'
import {
  beginStream,
  type Ending,
  namesEventStream,
  noteBrokenStream,
  streamTermsOf,
  writeToStream,
} from '../http/streams.ts'
import type { Answer } from './answer.ts'
import { type Context, storeCaller } from './context.ts'
import { formatError, refusalOf } from './errors.ts'
import type { SubscriptionRequest } from './operation.ts'

/** How results are written to a stream. */
type StreamType = {
  contentType: string
  begin: string
  heartbeat: string
  result(json: string): string
  /** An error that ends the stream. */
  failure(json: string): string
  end: string
}

/** The mode "distinct connections" of graphql-sse's protocol. The GraphQL client urql speaks this protocol too. */
const serverSentEvents: StreamType = {
  contentType: 'text/event-stream; charset=utf-8',
  begin: ':\n\n',
  heartbeat: ':\n\n',
  result: json => `event: next\ndata: ${json}\n\n`,
  failure: json => `event: next\ndata: ${json}\n\n`,
  end: 'event: complete\ndata:\n\n',
}

/**
 * Apollo's protocol for subscriptions over multipart HTTP. Apollo Client reads a part only after it has received the
 * next boundary.
 */
const part = (json: string) => `\r\ncontent-type: application/json\r\n\r\n${json}\r\n--graphql`
const multipart: StreamType = {
  contentType: 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0',
  begin: '\r\n--graphql',
  heartbeat: part('{}'),
  result: json => part(`{"payload":${json}}`),
  failure: json => part(`{"payload":null,${json.slice(1)}`),
  end: '--\r\n',
}

/** Returns how the client wants a stream to be written; null if it accepts none. */
export function streamTypeOf(request: Request): StreamType | null {
  const { accept = '' } = request.headers
  if (namesEventStream(request) && request.accepts('text/event-stream')) return serverSentEvents
  return /\bmultipart\/mixed\b/i.test(accept) && /\bsubscriptionSpec="?1\.0/i.test(accept) ? multipart : null
}

/**
 * Writes the answer of a query or a mutation as a stream with one result, of the type that the client accepts. Refusals
 * stay as they are.
 */
export function asStream(request: Request, answer: Answer): Answer {
  const type = streamTypeOf(request)
  if (!type || answer.status !== 200) return answer
  const headers = answer.headers.filter(([name]) => name.toLowerCase() !== 'content-type')
  return {
    ...answer,
    headers: [...headers, ['Content-Type', type.contentType]],
    body: type.begin + type.result(answer.body) + type.end,
  }
}

/** Answers a subscription, which is checked and charged already, by a stream of its results. */
export async function streamSubscription(
  context: Context,
  subscription: SubscriptionRequest,
  drain: Ending,
): Promise<void> {
  const { tools, request, response } = context
  const type = streamTypeOf(request)
  if (!type) {
    const accepted = 'text/event-stream or multipart/mixed;subscriptionSpec=1.0'
    throw new StoreError('not_acceptable', `A subscription is answered by a stream: accept ${accepted}.`)
  }
  const caller = storeCaller(context)
  const streamTerms = streamTermsOf(tools, drain, { request, response, caller, door: 'graphql' })
  const results = await subscribe({ ...subscription, contextValue: { ...context, streamTerms } })
  if (!(Symbol.asyncIterator in results)) throw toRefusal(results)
  if (response.closed) return void results.return(undefined)
  beginStream(tools, response, type.contentType)
  try {
    await writeResults(response, type, results)
  } catch (error) {
    noteBrokenStream(tools, error)
    const refusal = refusalOf(error)
    await writeToStream(response, type.failure(jsonOf({ errors: [refusal] })))
  } finally {
    response.end(type.end)
  }
}

async function writeResults(
  response: Response,
  type: StreamType,
  results: AsyncGenerator<ExecutionResult, void, void>,
): Promise<void> {
  await writeToStream(response, type.begin)
  let next = results.next()
  while (!response.closed) {
    const waiting = new AbortController()
    const quiet = pause(quietMs, null, { signal: waiting.signal }).catch(() => null)
    const came = await Promise.race([next, quiet]).finally(() => waiting.abort())
    if (came?.done) return
    await writeToStream(response, came ? type.result(jsonOf(came.value)) : type.heartbeat)
    if (came) next = results.next()
  }
  // The client closed the connection, and this ends `results`. Wait for the pending result, and ignore an error of that
  // result.
  await next.catch(() => {})
}

function jsonOf({ errors, ...result }: ExecutionResult): string {
  const formatted = errors && { errors: errors.map(error => formatError(error.toJSON(), error)) }
  return JSON.stringify({ ...result, ...formatted })
}

/** Returns the error for a subscription that cannot begin. */
function toRefusal({ errors = [] }: ExecutionResult): unknown {
  const [error] = errors
  if (!error?.message.startsWith('Variable "$')) return error?.originalError ?? error
  const named = new GraphQLError(error.message, { extensions: { code: 'BAD_USER_INPUT' } })
  const { message, extensions } = formatError(named.toJSON(), named)
  const details = extensions?.details as StoreError['details'] | undefined
  return new StoreError('invalid_input', message, { details: [...(details ?? [])] })
}
