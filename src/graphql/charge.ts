import { type FieldNode, type GraphQLSchema, isObjectType } from 'graphql'
import type { Scope } from '../core/keys/api-keys.ts'
import { type Caller, scopeFor } from '../core/keys/caller.ts'
import { freeReadCharge, operatorCharge } from '../core/projects/limits.ts'
import { chargeCaller, settle } from '../http/charge.ts'
import { acceptedOrRefused, type Decision } from '../limiter/decision.ts'
import type { Tools } from '../tools.ts'
import type { Context } from './context.ts'
import { asksForStore, namesWithin, projectLists } from './project-lists.ts'
import type { Fragments, Variables } from './selections.ts'

/** The store's goods, paid from the plan's budget, and the scope that each needs; REST sells the same. */
export const storeFields: Readonly<Record<string, Scope>> = {
  pets: scopeFor.listPets,
  getPet: scopeFor.getPet,
  createPet: scopeFor.createPet,
  updatePet: scopeFor.updatePet,
  deletePet: scopeFor.deletePet,
  inventory: scopeFor.getInventory,
  categories: scopeFor.listCategories,
  category: scopeFor.getCategory,
  setCategory: scopeFor.setCategory,
  removeCategory: scopeFor.removeCategory,
  orders: scopeFor.listOrders,
  order: scopeFor.getOrder,
  placeOrder: scopeFor.placeOrder,
  approveOrder: scopeFor.approveOrder,
  deliverOrder: scopeFor.deliverOrder,
  cancelOrder: scopeFor.cancelOrder,
}
const schemaFields: readonly string[] = ['__schema', '__type', '__typename']

/** What an operation costs: its root fields, each under its key in the answer. */
export type Bill = {
  storeRequests: number
  managementRequests: number
  /** What nothing else is asked beside. */
  only: 'schema' | 'rateLimit' | null
}

/** An operation that cannot even be read costs what a malformed request costs over REST. */
export const unreadableBill: Bill = { storeRequests: 1, managementRequests: 0, only: null }

/** A look at `rateLimit`, and `__typename`, are free beside anything else. */
export function billOf(
  schema: GraphQLSchema,
  rootFields: ReadonlyMap<string, readonly FieldNode[]>,
  fragments: Fragments,
  variables: Variables,
): Bill {
  const roots = [...rootFields.values()]
  const names = roots.map(([node]) => node?.name.value ?? '')
  const project = schema.getType('Project')
  const within = isObjectType(project)
    ? roots.flatMap(nodes => namesWithin(project, nodes, fragments, variables))
    : []
  const isOfStore = (name: string) => name in storeFields
  const nodes = roots.filter(([node]) => node && asksForStore(node, variables)).length
  const ofStore = names.filter(isOfStore).length + nodes
  const free = names.filter(name => name === '__typename' || name === 'rateLimit').length
  const lists = within.filter(name => projectLists.includes(name)).length
  const storeRequests = ofStore + within.filter(isOfStore).length
  const managementRequests = names.length - ofStore - free + lists
  if (names.every(name => schemaFields.includes(name))) {
    return { storeRequests, managementRequests: Math.max(1, managementRequests), only: 'schema' }
  }
  return { storeRequests, managementRequests, only: free === names.length ? 'rateLimit' : null }
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
    const isAboutSchema = bill.only === 'schema' || bill === unreadableBill
    if (isAboutSchema && tools.config.graphqlIntrospection) return null
    throw sender.refusal
  }
  const { storeRequests: store, managementRequests } = bill
  if (sender.kind === 'operator') return settle(tools, response, operatorCharge(store + managementRequests))
  const { caller } = sender
  const looksTooOften = bill.only === 'rateLimit' && !(await isFairLook(tools, caller))
  const management = looksTooOften ? 1 : managementRequests
  return chargeCaller(tools, response, caller, { door: 'graphql', store, management })
}

async function isFairLook({ limiter }: Tools, caller: Caller): Promise<boolean> {
  const charge = freeReadCharge(caller)
  const decision = await acceptedOrRefused(limiter.consume(charge.subject, charge.points, charge))
  return decision.outcome === 'accepted'
}
