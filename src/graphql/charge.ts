import { type FieldNode, type GraphQLSchema, isObjectType } from 'graphql'
import type { Scope } from '../core/keys/api-keys.ts'
import { type Caller, scopeFor } from '../core/keys/caller.ts'
import { freeReadCharge, operatorCharge } from '../core/projects/limits.ts'
import { chargeCaller, settle } from '../http/charge.ts'
import { acceptedOrRefused, type Decision } from '../limiter/decision.ts'
import type { Tools } from '../tools.ts'
import type { Context } from './context.ts'
import type { Mutation, Query } from './generated/resolvers.ts'
import { asksForStore, namesWithin, projectLists } from './project-lists.ts'
import type { Fragments, Variables } from './selections.ts'

type RootField = Exclude<keyof Query | keyof Mutation, '__typename'>

/**
 * For each root field that the plan's budget pays for, the scope it needs, as over REST; null for the others: the
 * management budget pays for them, but `rateLimit` is free and the id of a `node` decides. The compiler demands every field.
 */
const budgets = {
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
  node: null,
  caller: null,
  project: null,
  rateLimit: null,
  plans: null,
  usage: null,
  apiKeys: null,
  projects: null,
  domains: null,
  domain: null,
  domainPreconditions: null,
  deploys: null,
  issueApiKey: null,
  rotateApiKey: null,
  renameApiKey: null,
  revokeApiKey: null,
  createProject: null,
  setPlan: null,
  suspendProject: null,
  resumeProject: null,
  resumeCertificates: null,
  addDomain: null,
  verifyDomain: null,
  reverifyDomain: null,
  removeDomain: null,
  deploy: null,
  rollback: null,
} satisfies Record<RootField, Scope | null>

/** The scope of each root field that the plan's budget pays for. */
export const storeFields = new Map(
  Object.entries(budgets).flatMap(([field, scope]): [string, Scope][] => (scope ? [[field, scope]] : [])),
)
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
  const isOfStore = (name: string) => storeFields.has(name)
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
