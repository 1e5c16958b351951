import { StoreError } from '../core/errors.ts'
import { argumentsOf } from './arguments.ts'
import type { Context } from './context.ts'
import type { FieldToCheck } from './cost.ts'
import { refusalOf } from './errors.ts'
import { readKeysQuery } from './fields/api-keys.ts'
import { readDeploysQuery } from './fields/deploys.ts'
import { readDomainsQuery } from './fields/domains.ts'
import { checkPetOrders, checkPetScope } from './fields/orders.ts'
import { readSpan, readUsedKeysQuery } from './fields/usage.ts'
import { checkDeliveries } from './fields/webhooks.ts'
import type { Variables } from './selections.ts'

/**
 * The checks of arguments and scopes for fields that an answer may repeat for each item of a list. Each check runs once
 * before the operation. The resolvers of these fields call the same functions.
 */
const checks: Readonly<Record<string, (args: object, context: Context) => unknown>> = {
  'Pet.orders': checkPetOrders,
  'Order.pet': (_args, context) => checkPetScope(context),
  'ApiKey.usage': readSpan,
  'Webhook.deliveries': checkDeliveries,
  'Usage.keys': readUsedKeysQuery,
  'Project.apiKeys': args => readKeysQuery(args),
  'Project.domains': args => readDomainsQuery(args),
  'Project.deploys': args => readDeploysQuery(args),
  'Project.usage': readSpan,
}

export const isChecked = (name: string) => Object.hasOwn(checks, name)

/** Rejects the operation before it runs if one of these fields is sure to fail. */
export function checkFields(context: Context, fields: readonly FieldToCheck[], variables: Variables): void {
  for (const { name, field, node, path } of fields) {
    try {
      checks[name]?.(argumentsOf(field, node, variables), context)
    } catch (error) {
      throw error instanceof StoreError ? refusalOf(error, { path, nodes: [node] }) : error
    }
  }
}
