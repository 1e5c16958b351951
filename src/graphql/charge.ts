import { StoreError } from '../core/errors.ts'
import type { Caller } from '../core/keys/caller.ts'
import { mostPayable, operatorCharge } from '../core/projects/limits.ts'
import { chargeCaller, chargeProject, chargeSubject, isFairRead, paidBy } from '../http/charge.ts'
import { addHeader } from '../http/headers.ts'
import type { Decision } from '../limiter/decision.ts'
import type { Context } from './context.ts'
import { type OperationPrice, unreadablePrice } from './prices.ts'

/**
 * Charges an operation once before it runs, and sets the rate limit headers. Throws if the limiter refuses, if the plan
 * could never pay the price, or if an anonymous client asks for anything but the schema. Returns null if nothing is
 * charged here: the client is anonymous, or the operation is charged already.
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
  if (identity.kind === 'caller' && !identity.caller.person && store > mostPayable(identity.caller.project))
    return refuseUnpayable(context, identity.caller, store)
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

/** Charges the refused operation one request, or what it has paid for reading pets. */
async function refuseUnpayable(
  { tools, response }: Context,
  caller: Caller,
  requests: number,
): Promise<never> {
  const paid = paidBy(response)
  if (paid > 1) addHeader(response, 'X-RateLimit-Cost', String(paid))
  const store = paid > 0 ? 0 : 1
  await chargeCaller(tools, response, caller, { door: 'graphql', store, management: 0 })
  throw new StoreError(
    'operation_too_complex',
    `The operation costs ${requests} requests; the plan allows ${mostPayable(caller.project)} a minute. Send several smaller operations.`,
  )
}
