import { ApolloServer, HeaderMap, type HTTPGraphQLRequest, type HTTPGraphQLResponse } from '@apollo/server'
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled'
import type { Request } from 'express'
import { StoreError } from '../core/errors.ts'
import { bytesOf } from '../http/answer.ts'
import { inSpan } from '../tools/tracing.ts'
import type { Tools } from '../tools.ts'
import type { Answer } from './answer.ts'
import { answerTooLong, isTooLong, maxAnswerBytes } from './answer-limits.ts'
import type { Context } from './context.ts'
import { openDocuments } from './documents.ts'
import { formatError } from './errors.ts'
import { mediaTypeFor, mediaTypes } from './media-type.ts'
import { operations } from './operations.ts'
import { openPersistedQueries } from './persisted-queries.ts'
import { makeSchema } from './schema.ts'
import { limits } from './shape-limits.ts'

export type Apollo = {
  run(context: Context): Promise<Answer>
}

/** Starts Apollo Server, which runs every query and mutation. The plugin in operations.ts adds our own steps. */
export function openApollo(tools: Tools): Apollo {
  const server = makeServer(tools)
  server.startInBackgroundHandlingStartupErrorsByLoggingAndFailingAllRequests()

  return {
    async run(context) {
      const { request, operation } = context
      const httpGraphQLRequest = spell(request, headersToRun, operation.body && parseBody(operation.body))
      // Empty the Accept header for Apollo: the media type is already chosen, and Apollo would parse the header twice
      // more. The parsing would take 5 % of the time of a create mutation.
      const type = `${mediaTypeFor(request) ?? mediaTypes[0]}; charset=utf-8`
      httpGraphQLRequest.headers.set('accept', '')
      return inSpan('GraphQL', async () => {
        const ran = await server.executeHTTPGraphQLRequest({
          httpGraphQLRequest,
          context: async () => context,
        })
        const answer = toAnswer(ran, type)
        if (answer.body !== notWritten && answer.body.length <= maxAnswerBytes) return answer
        operation.lasting = null
        throw answerTooLong(operation.isMutation)
      })
    },
  }
}

/** The body of an answer that is too long to serialise. */
const notWritten = ''

function makeServer(tools: Tools): ApolloServer<Context> {
  const { graphqlIntrospection: introspection } = tools.config
  const schema = makeSchema()
  const documents = openDocuments(schema, { introspection })
  return new ApolloServer<Context>({
    schema,
    introspection,
    documentStore: documents.store,
    persistedQueries: { cache: openPersistedQueries(tools.redis), ttl: null },
    parseOptions: { maxTokens: limits.tokens },
    executionOptions: { maxCoercionErrors: 10 },
    allowBatchedHttpRequests: false,
    csrfPrevention: { requestHeaders: withPreflight },
    formatError,
    stringifyResult: result => (isTooLong(result) ? notWritten : JSON.stringify(result)),
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    nodeEnv: 'production',
    logger: apolloLog(tools),
    plugins: [
      operations(schema, documents),
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
    ],
  })
}

/** A page of another origin needs a preflight to send these headers, including the bearer key. */
const withPreflight = ['authorization', 'x-apollo-operation-name', 'apollo-require-preflight']
/** The headers that Apollo reads to run an operation. */
const headersToRun = ['content-type', ...withPreflight]

function spell(
  { method, headers, url }: Request,
  names: readonly string[],
  body: unknown,
): HTTPGraphQLRequest {
  const map = new HeaderMap()
  for (const name of names) {
    const value = headers[name]
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const query = url.indexOf('?')
  return { method, headers: map, search: query < 0 ? '' : url.slice(query), body }
}

/** Converts Apollo's response. `type` replaces its content type. */
function toAnswer({ status = 200, headers, body }: HTTPGraphQLResponse, type: string): Answer {
  if (body.kind !== 'complete') throw new Error('Apollo answered in parts')
  const answerHeaders: Answer['headers'] = []
  for (const [name, value] of headers) {
    // Omit Content-Length and Cache-Control, which the router sets.
    if (name === 'content-type') answerHeaders.push([name, type])
    else if (name !== 'content-length' && name !== 'cache-control') answerHeaders.push([name, value])
  }
  return { status, headers: answerHeaders, body: bytesOf(body.string) }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parseBody(sent: Buffer): unknown {
  let body: unknown
  try {
    body = JSON.parse(utf8.decode(sent))
  } catch {
    throw new StoreError('malformed_request', 'The body is not valid JSON.')
  }
  if (Array.isArray(body))
    throw new StoreError(
      'malformed_request',
      'Batches of operations are not accepted; send one operation a request.',
    )
  if (typeof body === 'object' && body !== null) return body
  throw new StoreError('malformed_request', 'The body is not a JSON object.')
}

function apolloLog({ log }: Tools) {
  const say = (level: 'debug' | 'info' | 'warn' | 'error') => (message?: unknown) =>
    log[level]({ from: 'apollo' }, String(message))
  return { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') }
}
