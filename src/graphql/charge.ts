import { operatorCharge } from '../core/projects/limits.ts'
import { chargeCaller, chargeProject, chargeSubject, isFairRead, paidBy } from '../http/charge.ts'
import { addHeader } from '../http/headers.ts'
import type { Decision } from '../limiter/decision.ts'
import type { Context } from './context.ts'
import { type OperationPrice, unreadablePrice } from './prices.ts'

/**
 * Charges an operation once before it runs, and sets the rate limit headers. Throws if the limiter refuses, or if an
 * anonymous client asks for anything but the schema. Returns null if nothing is charged here: the client is anonymous,
 * or the operation is charged already.
 */
export async function charge(context: Context, price: OperationPrice): Promise<Decision | null> {
  const { identity, tools, response, operation } = context
  if (operation.isCharged) return null
  operation.isCharged = true
  // Anonymous requests were already charged by IP address.
  if (identity.kind === 'anonymous') {
    const isAboutSchema = price.only === 'schema' || price === unreadablePrice
    if (isAboutSchema && tools.config.graphqlIntrospection) return null
    throw identity.refusal
  }
  const { storeRequests: store, managementRequests } = price
  const requests = store + managementRequests
  if (requests > 1) addHeader(response, 'X-RateLimit-Cost', String(requests))
  if (identity.kind === 'operator')
    return chargeSubject(tools, response, operatorCharge(requests, identity.person?.id))
  const { caller } = identity
  const readsTooOften = price.only === 'rateLimit' && !(await isFairRead(tools, caller))
  const management = Math.max(readsTooOften ? 1 : 0, managementRequests)
  if (price.only !== 'person' || !caller.person) {
    // Bulk mutations have already paid for the pets that they read.
    const unpaid = store - paidBy(response)
    return chargeCaller(tools, response, caller, { door: 'graphql', store: unpaid, management })
  }
  const { decision } = await chargeProject(tools, response, caller, { store, management })
  response.locals.bill = { door: 'graphql', store, management }
  return decision
}
