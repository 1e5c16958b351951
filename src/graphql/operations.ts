import type { ApolloServerPlugin } from '@apollo/server'
import type { Request } from 'express'
import type { FormattedExecutionResult, GraphQLError, GraphQLSchema } from 'graphql'
import { keepNowhere } from '../http/caching.ts'
import { noteFault } from '../http/errors.ts'
import { describeSpan } from '../tools/tracing.ts'
import { openAdmission } from './admission.ts'
import type { Context } from './context.ts'
import type { Documents } from './documents.ts'
import { formatError, hideSuggestions, refusalOf } from './errors.ts'
import { mediaTypeFor } from './media-type.ts'

/** An operation's way: judged as text, charged, judged with its variables, run, and its answer completed. */
export function operations(schema: GraphQLSchema, documents: Documents): ApolloServerPlugin<Context> {
  const admit = openAdmission(schema)
  return {
    async requestDidStart() {
      return {
        async didResolveSource({ contextValue, queryHash, source }) {
          contextValue.judged = documents.judge(source, queryHash)
        },

        async didResolveOperation(operation) {
          const { operation: kind = 'operation', name } = operation.operation ?? {}
          describeSpan(`GraphQL ${kind}`, {
            'graphql.operation.type': kind,
            ...(name && { 'graphql.operation.name': name.value }),
          })
          // Some tell a secret, which is told once.
          if (operation.operation?.operation === 'mutation') keepNowhere(operation.contextValue.response)
          try {
            await admit(operation)
          } catch (error) {
            throw refusalOf(error)
          }
        },

        async responseForOperation({ contextValue, response }) {
          const faults = contextValue.judged?.faults ?? []
          if (contextValue.outcome.isExplained) {
            return { http: response.http, body: { kind: 'single', singleResult: { data: null } } }
          }
          if (faults.length === 0) return null
          const errors = faults.map(fault => formatError(fault.toJSON(), fault))
          response.http.status = toStoreStatus(errors[0]?.extensions)
          return { http: response.http, body: { kind: 'single', singleResult: { errors } } }
        },

        async didEncounterErrors({ contextValue, errors }) {
          for (const error of errors) noteFaultOf(contextValue, error)
        },

        async willSendResponse({ contextValue, response }) {
          if (response.body.kind !== 'single') return
          const { errors = [] } = response.body.singleResult
          const waits = errors.map(({ extensions }) => Number(extensions?.retryAfterSeconds ?? 0))
          // Also where other fields were answered: whoever repeats the whole operation has to wait for its last part.
          if (waits.some(seconds => seconds > 0)) {
            response.http.headers.set('retry-after', String(Math.max(...waits)))
          }
          const status = finish(contextValue, response.http.status, response.body.singleResult)
          if (status !== undefined) response.http.status = status
        },
      }
    },
  }
}

/** Completes an answer, and tells the status that it goes out with. */
function finish(context: Context, status: number | undefined, answer: FormattedExecutionResult) {
  const { extensions, request, response, tools } = context
  if (answer.errors || Object.keys(extensions).length > 0) context.outcome.lasting = undefined
  if (answer.errors) {
    keepNowhere(response)
    // What only GraphQL's protocol calls an error, as a query that is not registered yet, bears none.
    response.locals.hasNoData = Object.values(answer.data ?? {}).every(value => value === null)
    response.locals.worstStatus = Math.max(
      ...answer.errors.map(({ extensions }) => Number(extensions?.status ?? 0)),
    )
  }
  for (const error of answer.errors ?? []) {
    if (error.extensions?.code === 'internal_error') error.extensions.requestId = response.locals.requestId
  }
  if (answer.errors && !tools.config.graphqlIntrospection) answer.errors = answer.errors.map(hideSuggestions)
  if (Object.keys(extensions).length > 0) answer.extensions = extensions
  const isFaulty = status === 400 && answer.errors?.every(isFaultOfRequest)
  return isFaulty && isReadAsLegacy(request) ? 200 : status
}

function noteFaultOf({ tools, response }: Context, error: GraphQLError): void {
  const { code } = formatError(error.toJSON(), error).extensions ?? {}
  if (code !== 'internal_error' && code !== 'unavailable') return
  const { originalError = error, path } = error
  noteFault(tools, originalError, { requestId: response.locals.requestId, path })
}

const toStoreStatus = (extensions: Record<string, unknown> | undefined) => Number(extensions?.status ?? 400)

/** Who insists on application/json reads the faults of an operation from the body alone, under a 200. */
function isReadAsLegacy(request: Request): boolean {
  const { accept = '' } = request.headers
  const isNamedAlone = accept.includes('application/json') && !accept.includes('graphql-response')
  return isNamedAlone && mediaTypeFor(request) === 'application/json'
}

function isFaultOfRequest({ extensions }: { extensions?: Record<string, unknown> }): boolean {
  return extensions?.code === 'malformed_request' || extensions?.code === 'invalid_input'
}
