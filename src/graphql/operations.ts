import type { ApolloServerPlugin } from '@apollo/server'
import type { Request } from 'express'
import {
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { isStopped } from '../database/faults.ts'
import { keepNowhere } from '../http/caching.ts'
import { noteFault } from '../http/errors.ts'
import { isRefusedTry, noteRefusedTry } from '../http/refused-tries.ts'
import { describeSpan } from '../tools/tracing.ts'
import { cutErrors, mostErrors } from './answer-limits.ts'
import { openChecksAndCharge } from './check-and-charge.ts'
import type { Context } from './context.ts'
import type { Documents } from './documents.ts'
import { formatError, hideSuggestions, refusalOf } from './errors.ts'
import { mediaTypeFor } from './media-type.ts'

/** Apollo Server's plugin: validates the text, charges, checks the variables, and completes the answer. */
export function operations(schema: GraphQLSchema, documents: Documents): ApolloServerPlugin<Context> {
  const admit = openChecksAndCharge(schema)
  return {
    async requestDidStart() {
      return {
        async didResolveSource({ contextValue, queryHash, source }) {
          contextValue.operation.validated = documents.validate(source, queryHash)
        },

        async didResolveOperation(operation) {
          const { operation: kind = 'operation', name } = operation.operation ?? {}
          describeSpan(`GraphQL ${kind}`, {
            'graphql.operation.type': kind,
            ...(name && { 'graphql.operation.name': name.value }),
          })
          operation.contextValue.response.locals.operation = nameOf(kind, operation.operation?.selectionSet)
          // Some mutations return a secret, so never store their answers.
          if (operation.operation?.operation === 'mutation') keepNowhere(operation.contextValue.response)
          try {
            await admit(operation)
          } catch (error) {
            throw error instanceof GraphQLError ? error : refusalOf(error)
          }
        },

        async responseForOperation({ contextValue, response, schema, document, operation, request }) {
          const faults = contextValue.operation.validated?.faults ?? []
          if (contextValue.operation.isExplained) {
            return { http: response.http, body: { kind: 'single', singleResult: { data: null } } }
          }
          // Apollo Server passes no `operation` if no operation in the document has the name that the request asks for.
          if (faults.length === 0 && operation?.operation === 'subscription') {
            const { variables: variableValues, operationName } = request
            contextValue.operation.subscription = { schema, document, variableValues, operationName }
            // Return no data here: the stream replaces this answer, and Apollo Server would run a subscription as a
            // query.
            return { http: response.http, body: { kind: 'single', singleResult: { data: null } } }
          }
          if (faults.length === 0) return null
          const errors = faults.map(fault => formatError(fault.toJSON(), fault))
          response.http.status = toStoreStatus(errors[0]?.extensions)
          return { http: response.http, body: { kind: 'single', singleResult: { errors } } }
        },

        async didEncounterErrors({ contextValue, errors }) {
          for (const error of errors.slice(0, mostErrors)) noteFaultOf(contextValue, error)
          const { response, tools } = contextValue
          const refusal = errors.map(({ originalError }) => originalError).find(isRefusedTry)
          noteRefusedTry(tools, response, refusal, response.locals.operation ?? 'operation')
        },

        async willSendResponse({ contextValue, response }) {
          if (response.body.kind !== 'single') return
          const { errors = [] } = response.body.singleResult
          // Set Retry-After even if only some fields failed. It is the longest wait of the failed fields, because a
          // client repeats the whole operation.
          const wait = mostOf(errors, 'retryAfterSeconds')
          if (wait > 0) response.http.headers.set('retry-after', String(wait))
          const status = finish(contextValue, response.http.status, response.body.singleResult)
          if (status !== undefined) response.http.status = status
        },
      }
    },
  }
}

const mostNamed = 3

/**
 * Names an operation for the log by its kind and first root fields, which are words of the schema and not the client's.
 */
function nameOf(kind: string, selectionSet: SelectionSetNode | undefined): string {
  const fields = selectionSet?.selections.filter(selection => selection.kind === Kind.FIELD) ?? []
  return `${kind} ${fields
    .slice(0, mostNamed)
    .map(({ name }) => name.value)
    .join(' ')}`
}

/** Completes an answer, and returns its HTTP status. */
function finish(context: Context, status: number | undefined, answer: FormattedExecutionResult) {
  const { operation, request, response, tools } = context
  const { extensions } = operation
  const hasExtensions = Object.keys(extensions).length > 0
  if (answer.errors || hasExtensions) operation.lasting = null
  if (hasExtensions) answer.extensions = extensions
  if (!answer.errors) return status
  keepNowhere(response)
  response.locals.hasNoData = Object.values(answer.data ?? {}).every(value => value === null)
  // Errors of GraphQL's protocol, such as an unregistered query, have no status.
  response.locals.worstStatus = mostOf(answer.errors, 'status')
  const isFaulty = status === 400 && answer.errors.every(isFaultOfRequest)
  answer.errors = cutErrors(answer.errors)
  for (const error of answer.errors) {
    if (error.extensions?.code === 'internal_error') error.extensions.requestId = response.locals.requestId
  }
  if (!tools.config.graphqlIntrospection) answer.errors = answer.errors.map(hideSuggestions)
  return isFaulty && isReadAsLegacy(request) ? 200 : status
}

type WithExtensions = { extensions?: Record<string, unknown> }

const mostOf = (errors: readonly WithExtensions[], extension: string) =>
  errors.reduce((most, { extensions }) => Math.max(most, Number(extensions?.[extension] ?? 0)), 0)

function noteFaultOf({ tools, response }: Context, error: GraphQLError): void {
  const { code } = formatError(error.toJSON(), error).extensions ?? {}
  if (code !== 'internal_error' && code !== 'unavailable') return
  const { originalError = error, path } = error
  if (isStopped(originalError)) response.locals.isStopped = true
  noteFault(tools, originalError, { requestId: response.locals.requestId, path })
}

const toStoreStatus = (extensions: Record<string, unknown> | undefined) => Number(extensions?.status ?? 400)

/** True if the client names only the older media type: it expects a 200 and reads the errors from the body. */
function isReadAsLegacy(request: Request): boolean {
  const { accept = '' } = request.headers
  const isNamedAlone = accept.includes('application/json') && !accept.includes('graphql-response')
  return isNamedAlone && mediaTypeFor(request) === 'application/json'
}

function isFaultOfRequest({ extensions }: WithExtensions): boolean {
  return extensions?.code === 'malformed_request' || extensions?.code === 'invalid_input'
}
