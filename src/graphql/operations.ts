import type { ApolloServerPlugin, GraphQLRequestContext } from '@apollo/server'
import {
  type FormattedExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  getVariableValues,
} from 'graphql'
import { requireScope } from '../core/callers.ts'
import { toStoreError } from '../http/errors.ts'
import { billOf, charge, storeFields, unreadableBill } from './charge.ts'
import type { Context } from './context.ts'
import { maxCost, openCost, refuseCostly } from './cost.ts'
import { noteDeprecations } from './deprecations.ts'
import type { Documents } from './documents.ts'
import { formatError, hideSuggestions, refusalOf } from './errors.ts'
import { mediaTypeFor } from './media-type.ts'
import { collectFields } from './selections.ts'
import { refuseRoundedNumbers } from './variables.ts'

type Asked = GraphQLRequestContext<Context>

/** What has to be true of an operation before it runs; and it pays. */
function openAdmission(schema: GraphQLSchema) {
  const costOf = openCost(schema)

  return async ({ contextValue: context, operation, request, source = '' }: Asked): Promise<void> => {
    const { judged, tools, response } = context
    if (!judged || judged.faults.length > 0 || !operation) return void (await charge(context, unreadableBill))
    const definitions = operation.variableDefinitions ?? []
    const { coerced, errors } = getVariableValues(schema, definitions, request.variables ?? {}, {
      maxErrors: 1,
    })
    // Faulty values are execution's to refuse.
    const variables = coerced ?? request.variables ?? {}
    const rootFields = collectFields([operation.selectionSet], judged.fragments, variables)
    const bill = billOf(rootFields, judged.fragments, variables)
    await charge(context, bill)
    const names = [...rootFields.values()].map(([node]) => node?.name.value ?? '')
    if (errors) requireStoreScopes(context, names)
    refuseRoundedNumbers(request.variables ?? {})
    const answerBytes = costOf(operation, judged.fragments, variables)
    refuseCostly(answerBytes)

    const deprecations = noteDeprecations(response, tools.config.publicUrl, names)
    if (deprecations.length > 0) context.extensions.deprecations = deprecations
    if (request.extensions?.cost === true) {
      const { storeRequests, managementRequests } = bill
      context.extensions.cost = { storeRequests, managementRequests, answerBytes, maxAnswerBytes: maxCost }
    }
    const of = bill.only === 'schema' ? 'schema' : names.every(isOfPets) ? 'pets' : null
    if (of && coerced) {
      const asked = [mediaTypeFor(context.request), request.operationName ?? null, coerced, source]
      context.outcome.lasting = { of, question: JSON.stringify(asked), bill }
    }
  }
}

const isOfPets = (name: string) => name === 'pets' || name === '__typename'

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
          try {
            await admit(operation)
          } catch (error) {
            throw refusalOf(toStoreError(error))
          }
        },

        async responseForOperation({ contextValue, response }) {
          const faults = contextValue.judged?.faults ?? []
          const [first] = faults
          if (!first) return null
          const errors = faults.map(fault => formatError(fault.toJSON(), fault))
          response.http.status = toStoreStatus(errors[0]?.extensions)
          return { http: response.http, body: { kind: 'single', singleResult: { errors } } }
        },

        async didEncounterErrors({ contextValue, errors }) {
          for (const error of errors) logBug(contextValue, error)
        },

        async willSendResponse({ contextValue, response }) {
          if (response.body.kind !== 'single') return
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
  for (const error of answer.errors ?? []) {
    if (error.extensions?.code === 'internal_error') error.extensions.requestId = response.locals.requestId
  }
  if (answer.errors && !tools.config.graphqlIntrospection) answer.errors = answer.errors.map(hideSuggestions)
  if (Object.keys(extensions).length > 0) answer.extensions = extensions
  const isFaulty = status === 400 && answer.errors?.every(isFaultOfRequest)
  return isFaulty && isReadAsLegacy(request.headers.accept) ? 200 : status
}

/** Whoever may not have a thing is told so and not how to ask for it better, as over REST. */
function requireStoreScopes({ sender }: Context, names: string[]): void {
  if (sender.kind !== 'caller') return
  for (const name of names) {
    const scope = storeFields[name]
    if (scope) requireScope(sender.caller, scope)
  }
}

function logBug({ tools, response }: Context, error: GraphQLError): void {
  if (formatError(error.toJSON(), error).extensions?.code !== 'internal_error') return
  const { originalError = error, path } = error
  tools.log.error({ requestId: response.locals.requestId, error: originalError, path }, 'bug')
}

const toStoreStatus = (extensions: Record<string, unknown> | undefined) => Number(extensions?.status ?? 400)

/** Who insists on application/json reads the faults of an operation from the body alone, under a 200. */
function isReadAsLegacy(accept = ''): boolean {
  return accept.includes('application/json') && !accept.includes('graphql-response')
}

function isFaultOfRequest({ extensions }: { extensions?: Record<string, unknown> }): boolean {
  return extensions?.code === 'malformed_request' || extensions?.code === 'invalid_input'
}
