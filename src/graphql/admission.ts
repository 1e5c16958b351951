import type { GraphQLRequestContext } from '@apollo/server'
import { type GraphQLSchema, getVariableValues } from 'graphql'
import type { Scope } from '../core/keys/api-keys.ts'
import { holdsScope, requireScope } from '../core/keys/caller.ts'
import { type Bill, charge, storeFields, unreadableBill } from './charge.ts'
import { type Context, storeCaller } from './context.ts'
import { maxCost, openCost, refuseCostly } from './cost.ts'
import { noteDeprecations } from './deprecations.ts'
import { readExplainCost } from './explain-cost.ts'
import { readIdempotencyKey } from './idempotency-key.ts'
import { mediaTypeFor } from './media-type.ts'
import { openRootReader } from './root-fields.ts'
import { refuseRoundedNumbers } from './variables.ts'

type Asked = GraphQLRequestContext<Context>

/** What has to be true of an operation before it runs; and it pays. */
export function openAdmission(schema: GraphQLSchema) {
  const costOf = openCost(schema)
  const askedBy = openRootReader(schema)

  return async ({ contextValue: context, operation, request, source = '' }: Asked): Promise<void> => {
    const { judged, outcome } = context
    if (!judged || judged.faults.length > 0 || !operation) return void (await charge(context, unreadableBill))
    const given = request.variables ?? {}
    let read: ReturnType<typeof getVariableValues> | undefined
    const readVariables = () => {
      read ??= getVariableValues(schema, operation.variableDefinitions ?? [], given, { maxErrors: 1 })
      return read
    }
    // Faulty values are execution's to refuse.
    const variables = () => readVariables().coerced ?? given
    const { names, bill } = askedBy(operation, judged.fragments, variables)
    const explain = readExplainCost(context.request)
    outcome.isExplained = explain === 'only'
    await charge(context, outcome.isExplained ? explainedBill(bill) : bill)
    // Whoever may not have a thing is told so and not how to ask for it better, as over REST.
    const lacking = lackingScope(context, names)
    if (lacking && readVariables().errors) requireScope(storeCaller(context), lacking)
    refuseRoundedNumbers(given)
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
    const coerced = of && readVariables().coerced
    if (coerced) {
      const asked = [mediaTypeFor(context.request), request.operationName ?? null, coerced, source]
      outcome.lasting = { of, question: JSON.stringify(asked), bill }
    }
  }
}

const isOfPets = (name: string) => name === 'pets' || name === '__typename'

/** To be told what an operation costs is managing, whatever the operation is. */
const explainedBill = (bill: Bill): Bill => ({ ...bill, storeRequests: 0, managementRequests: 1 })

function lackingScope({ sender }: Context, names: readonly string[]): Scope | undefined {
  if (sender.kind !== 'caller') return undefined
  const { caller } = sender
  const needed = names.flatMap(name => storeFields.get(name) ?? [])
  return needed.find(scope => !holdsScope(caller, scope))
}
