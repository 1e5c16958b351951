import type { GraphQLRequestContext } from '@apollo/server'
import { type GraphQLSchema, getVariableValues } from 'graphql'
import { requireScope } from '../core/callers.ts'
import { type Bill, billOf, charge, storeFields, unreadableBill } from './charge.ts'
import type { Context } from './context.ts'
import { maxCost, openCost, refuseCostly } from './cost.ts'
import { noteDeprecations } from './deprecations.ts'
import { readExplainCost } from './explain-cost.ts'
import { readIdempotencyKey } from './idempotency-key.ts'
import { mediaTypeFor } from './media-type.ts'
import { collectFields } from './selections.ts'
import { refuseRoundedNumbers } from './variables.ts'

type Asked = GraphQLRequestContext<Context>

/** What has to be true of an operation before it runs; and it pays. */
export function openAdmission(schema: GraphQLSchema) {
  const costOf = openCost(schema)

  return async ({ contextValue: context, operation, request, source = '' }: Asked): Promise<void> => {
    const { judged, outcome } = context
    if (!judged || judged.faults.length > 0 || !operation) return void (await charge(context, unreadableBill))
    const definitions = operation.variableDefinitions ?? []
    const { coerced, errors } = getVariableValues(schema, definitions, request.variables ?? {}, {
      maxErrors: 1,
    })
    // Faulty values are execution's to refuse.
    const variables = coerced ?? request.variables ?? {}
    const rootFields = collectFields([operation.selectionSet], judged.fragments, variables)
    const bill = billOf(schema, rootFields, judged.fragments, variables)
    const explain = readExplainCost(context.request)
    outcome.isExplained = explain === 'only'
    await charge(context, outcome.isExplained ? explainedBill(bill) : bill)
    const names = [...rootFields.values()].map(([node]) => node?.name.value ?? '')
    if (errors) requireStoreScopes(context, names)
    refuseRoundedNumbers(request.variables ?? {})
    context.idempotencyKey = readIdempotencyKey(context.request, schema, operation, names)
    const answerBytes = costOf(operation, judged.fragments, variables)
    if (!outcome.isExplained) refuseCostly(answerBytes)

    const deprecations = noteDeprecations(context, names)
    if (deprecations.length > 0) context.extensions.deprecations = deprecations
    if (explain !== null || request.extensions?.cost === true) {
      const { storeRequests, managementRequests } = bill
      context.extensions.cost = { storeRequests, managementRequests, answerBytes, maxAnswerBytes: maxCost }
    }
    const of = bill.only === 'schema' ? 'schema' : names.every(isOfPets) ? 'pets' : null
    if (of && coerced) {
      const asked = [mediaTypeFor(context.request), request.operationName ?? null, coerced, source]
      outcome.lasting = { of, question: JSON.stringify(asked), bill }
    }
  }
}

const isOfPets = (name: string) => name === 'pets' || name === '__typename'

/** To be told what an operation costs is managing, whatever the operation is. */
const explainedBill = (bill: Bill): Bill => ({ ...bill, storeRequests: 0, managementRequests: 1 })

/** Whoever may not have a thing is told so and not how to ask for it better, as over REST. */
function requireStoreScopes({ sender }: Context, names: string[]): void {
  if (sender.kind !== 'caller') return
  for (const name of names) {
    const scope = storeFields[name]
    if (scope) requireScope(sender.caller, scope)
  }
}
