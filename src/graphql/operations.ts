import type { ApolloServerPlugin, GraphQLRequestContext } from '@apollo/server'
import { type GraphQLError, type GraphQLSchema, getVariableValues } from 'graphql'
import { requireScope } from '../core/callers.ts'
import { toStoreError } from '../http/errors.ts'
import { billOf, charge, storeFields, unreadableBill } from './charge.ts'
import type { Context } from './context.ts'
import { maxCost, openCost, refuseCostly } from './cost.ts'
import { noteDeprecations } from './deprecations.ts'
import type { Documents } from './documents.ts'
import { formatError, refusalOf } from './errors.ts'
import { collectFields } from './selections.ts'
import { refuseRoundedNumbers } from './variables.ts'

/** An operation's way: judged as text, charged, judged with its variables, run, and its answer completed. */
export function operations(schema: GraphQLSchema, documents: Documents): ApolloServerPlugin<Context> {
  const costOf = openCost(schema)

  async function admit({
    contextValue: context,
    operation,
    request,
  }: GraphQLRequestContext<Context>): Promise<void> {
    const { judged, tools, response } = context
    if (!judged || judged.faults.length > 0 || !operation) return charge(context, unreadableBill)
    const { coerced, errors } = getVariableValues(
      schema,
      operation.variableDefinitions ?? [],
      request.variables ?? {},
      {
        maxErrors: 1,
      },
    )
    // Faulty values are execution's to refuse.
    const variables = coerced ?? request.variables ?? {}
    const rootFields = collectFields([operation.selectionSet], judged.fragments, variables)
    const bill = billOf(rootFields)
    await charge(context, bill)
    const names = [...rootFields.values()].map(([node]) => node?.name.value ?? '')
    if (errors) requireStoreScopes(context, names)
    refuseRoundedNumbers(request.variables ?? {})
    const answerBytes = costOf(operation, judged.fragments, variables)
    refuseCostly(answerBytes)

    const deprecations = noteDeprecations(response, tools.config.publicUrl, names)
    if (deprecations.length > 0) context.extensions.deprecations = deprecations
    const isPetsOnly = names.every(name => name === 'pets' || name === '__typename')
    if (isPetsOnly && bill.storeRequests > 0) context.petsOnly = bill.storeRequests
    if (request.extensions?.cost === true) {
      const { storeRequests, managementRequests } = bill
      context.extensions.cost = { storeRequests, managementRequests, answerBytes, maxAnswerBytes: maxCost }
    }
  }

  return {
    async requestDidStart() {
      return {
        async didResolveSource({ contextValue, queryHash, source }) {
          contextValue.judged = documents.judge(queryHash, source)
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
          const { extensions, request, response: express } = contextValue
          if (response.body.kind !== 'single') return
          const { singleResult } = response.body
          if (singleResult.errors || Object.keys(extensions).length > 0) contextValue.petsOnly = undefined
          for (const error of singleResult.errors ?? []) {
            if (error.extensions?.code === 'internal_error')
              error.extensions.requestId = express.locals.requestId
          }
          if (Object.keys(extensions).length > 0) singleResult.extensions = extensions
          const isFaulty = response.http.status === 400 && singleResult.errors?.every(isFaultOfRequest)
          if (isFaulty && isReadAsLegacy(request.headers.accept)) response.http.status = 200
        },
      }
    },
  }
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
