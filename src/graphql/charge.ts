import type { FieldNode } from 'graphql'
import type { Scope } from '../core/api-keys.ts'
import { scopeFor } from '../core/callers.ts'
import { operatorCharge } from '../core/limits.ts'
import { chargeCaller, settle } from '../http/charge.ts'
import type { Decision } from '../limiter/limiter.ts'
import type { Context } from './context.ts'
import { asksForPet, namesWithin, projectLists } from './project-lists.ts'
import type { Fragments, Variables } from './selections.ts'

/** The store's goods, paid from the plan's budget, and the scope that each needs; REST sells the same. */
export const storeFields: Readonly<Record<string, Scope>> = {
  pets: scopeFor.listPets,
  getPet: scopeFor.getPet,
  createPet: scopeFor.createPet,
}
const schemaFields: readonly string[] = ['__schema', '__type', '__typename']

/** What an operation costs: its root fields, each under its key in the answer. */
export type Bill = { storeRequests: number; managementRequests: number; looksAtSchemaOnly: boolean }

/** An operation that cannot even be read costs what a malformed request costs over REST. */
export const unreadableBill: Bill = { storeRequests: 1, managementRequests: 0, looksAtSchemaOnly: false }

export function billOf(
  rootFields: ReadonlyMap<string, readonly FieldNode[]>,
  fragments: Fragments,
  variables: Variables,
): Bill {
  const roots = [...rootFields.values()]
  const names = roots.map(([node]) => node?.name.value ?? '')
  const within = roots.flatMap(nodes => namesWithin(nodes, fragments, variables))
  const nodes = roots.filter(([node]) => node && asksForPet(node, variables)).length
  const storeRequests = [...names, ...within].filter(name => name in storeFields).length + nodes
  const free = names.filter(name => schemaFields.includes(name)).length
  const looks = names.filter(name => name === 'rateLimit').length
  return {
    storeRequests,
    managementRequests:
      names.length -
      names.filter(name => name in storeFields).length -
      nodes -
      free -
      looks +
      within.filter(name => projectLists.includes(name)).length,
    looksAtSchemaOnly: free === names.length,
  }
}

/**
 * Charges before anything runs, once an operation, and throws the refusal. The headers speak of what was charged. Null
 * where nothing is decided: for who has no key, and for what is charged already.
 */
export async function charge(context: Context, bill: Bill): Promise<Decision | null> {
  const { sender, tools, response, outcome } = context
  if (outcome.isCharged) return null
  outcome.isCharged = true
  // Whoever has no key was charged by address on the way in.
  if (sender.kind === 'anonymous') {
    if (bill.looksAtSchemaOnly || bill === unreadableBill) return null
    throw sender.refusal
  }
  const { storeRequests: store, managementRequests: management } = bill
  if (sender.kind === 'operator') return settle(tools, response, operatorCharge(store + management))
  return chargeCaller(tools, response, sender.caller, { door: 'graphql', store, management })
}
