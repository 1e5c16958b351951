import type { GraphQLRequestContext } from '@apollo/server'
import { type GraphQLSchema, getVariableValues } from 'graphql'
import { holdsScope, requireScope } from '../core/keys/caller.ts'
import type { Scope } from '../core/keys/scopes.ts'
import { storeFields } from './budgets.ts'
import { explainBulk, findBulk, isBulk } from './bulk.ts'
import { charge } from './charge.ts'
import { type Context, storeCaller } from './context.ts'
import { type Cost, openCost, refuseCostly } from './cost.ts'
import { admitFormerMutations, noteDeprecations } from './deprecations.ts'
import { readExplainCost } from './explain-cost.ts'
import { checkFields, isChecked } from './field-checks.ts'
import { readIdempotencyKey } from './idempotency-key.ts'
import { mediaTypeFor } from './media-type.ts'
import { maxUnits, type OperationPrice, unreadablePrice } from './prices.ts'
import { findLargeInput, refuseRoundedNumbers } from './variables.ts'

type RequestContext = GraphQLRequestContext<Context>

/** Checks and charges an operation before it runs. */
export function openChecksAndCharge(schema: GraphQLSchema) {
  const costOf = openCost(schema, name => isChecked(name) || isBulk(name))

  return async (requestContext: RequestContext): Promise<void> => {
    const { contextValue: context, operation: document, request, source = '' } = requestContext
    const { operation } = context
    const { validated } = operation
    if (!validated || validated.faults.length > 0 || !document)
      return void (await charge(context, unreadablePrice))
    const given = request.variables ?? {}
    const largeInput = findLargeInput(document, given)
    if (largeInput) {
      await charge(context, unreadablePrice)
      throw largeInput
    }
    let read: ReturnType<typeof getVariableValues> | undefined
    const readVariables = () => {
      read ??= getVariableValues(schema, document.variableDefinitions ?? [], given, { maxErrors: 1 })
      return read
    }
    // If the variables are invalid, use the given values here, because execution will reject them.
    const variables = () => readVariables().coerced ?? given
    const cost = costOf(document, validated.fragments, variables)
    const { names } = cost
    const explain = readExplainCost(context.request)
    operation.isExplained = explain === 'only'
    operation.isMutation = document.operation === 'mutation'
    const price = priceOf(cost, operation.isExplained)
    const countBeyond = operation.isExplained ? explainBulk : findBulk
    const beyond = cost.units > maxUnits ? 0 : await countBeyond(context, cost.toCheck, variables)
    if (!operation.isExplained) price.storeRequests += beyond
    await charge(context, price)
    // Report a missing scope before invalid variables, as REST does.
    const lacking = lackingScope(context, names)
    if (lacking && readVariables().errors) requireScope(storeCaller(context), lacking)
    refuseRoundedNumbers(given)
    operation.idempotencyKey = readIdempotencyKey(context.request, schema, document, names)
    if (!operation.isExplained) {
      refuseCostly(cost)
      if (!readVariables().errors) checkFields(context, cost.toCheck, variables())
    }

    const deprecations = noteDeprecations(context, names)
    if (deprecations.length > 0) operation.extensions.deprecations = deprecations
    if (!operation.isExplained) admitFormerMutations(context, names)
    if (explain !== null || request.extensions?.cost === true) {
      const { storeRequests, managementRequests } = cost.price
      const { units } = cost
      operation.extensions.cost = {
        storeRequests: storeRequests + beyond,
        managementRequests,
        units,
        maxUnits,
      }
    }
    const of = price.only === 'schema' ? 'schema' : names.every(isOfPets) ? 'pets' : null
    const coerced = of && readVariables().coerced
    if (coerced) {
      const question = [mediaTypeFor(context.request), request.operationName ?? null, coerced, source]
      // A cached answer about the schema costs one request per `__schema` or `__type`, at least one.
      const looks = Math.max(1, names.filter(name => name !== '__typename').length)
      const again = of === 'schema' ? { ...price, managementRequests: looks } : price
      operation.lasting = { of, question: JSON.stringify(question), price: again }
    }
  }
}

const isOfPets = (name: string) => name === 'pets' || name === '__typename'

/**
 * Explaining a cost is charged as one management request. An operation beyond `maxUnits` is charged as one request to
 * the budget that would have paid for it.
 */
function priceOf({ price, units }: Cost, isExplained: boolean): OperationPrice {
  if (isExplained) return { ...price, storeRequests: 0, managementRequests: 1 }
  if (units <= maxUnits) return { ...price }
  const isStore = price.storeRequests > 0
  return { ...price, storeRequests: isStore ? 1 : 0, managementRequests: isStore ? 0 : 1 }
}

function lackingScope({ identity }: Context, names: readonly string[]): Scope | undefined {
  if (identity.kind !== 'caller') return undefined
  const { caller } = identity
  const needed = names.flatMap(name => storeFields.get(name) ?? [])
  return needed.find(scope => !holdsScope(caller, scope))
}
