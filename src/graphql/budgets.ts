import { scopeFor } from '../core/keys/caller.ts'
import type { Scope } from '../core/keys/scopes.ts'

import type { Mutation, Query, Subscription } from './generated/resolvers.ts'

type RootField = Exclude<keyof Query | keyof Mutation | keyof Subscription, '__typename'>

/**
 * The root fields that the plan's budget pays for, with the scope that each needs. Null means that the management
 * budget pays, except that `rateLimit` is free and the cost of `node` depends on its id. The compiler requires an entry
 * for every root field.
 */
const budgets = {
  pets: scopeFor.listPets,
  getPet: scopeFor.getPet,
  petCreate: scopeFor.createPet,
  petUpdate: scopeFor.updatePet,
  petDelete: scopeFor.deletePet,
  petsUpdate: scopeFor.updatePets,
  petsDelete: scopeFor.deletePets,
  categorySet: scopeFor.setCategory,
  categoryRemove: scopeFor.removeCategory,
  orderPlace: scopeFor.placeOrder,
  orderApprove: scopeFor.approveOrder,
  orderDeliver: scopeFor.deliverOrder,
  orderCancel: scopeFor.cancelOrder,
  createPet: scopeFor.createPet,
  updatePet: scopeFor.updatePet,
  deletePet: scopeFor.deletePet,
  updatePets: scopeFor.updatePets,
  deletePets: scopeFor.deletePets,
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
  events: scopeFor.listEvents,
  event: scopeFor.getEvent,
  node: null,
  caller: null,
  project: null,
  rateLimit: null,
  plans: null,
  viewer: null,
  operators: null,
  usage: null,
  apiKeys: null,
  projects: null,
  domains: null,
  domain: null,
  domainPreconditions: null,
  deploys: null,
  auditLog: null,
  webhooks: null,
  webhook: null,
  apiKeyIssue: null,
  apiKeyRotate: null,
  apiKeyRename: null,
  apiKeyRevoke: null,
  apiKeyBan: null,
  apiKeyLiftBan: null,
  projectCreate: null,
  projectSetPlan: null,
  projectSetLeakedKeys: null,
  projectSuspend: null,
  projectResume: null,
  projectResetRateLimit: null,
  certificatesResume: null,
  memberInvite: null,
  memberSetRole: null,
  memberRemove: null,
  invitationWithdraw: null,
  viewerRename: null,
  viewerDelete: null,
  sessionEnd: null,
  sessionsEnd: null,
  passkeyRemove: null,
  joinDomainSet: null,
  joinDomainRemove: null,
  operatorAdd: null,
  operatorRemove: null,
  domainAdd: null,
  domainVerify: null,
  domainReverify: null,
  domainRemove: null,
  deployCreate: null,
  deployRollback: null,
  webhookCreate: null,
  webhookUpdate: null,
  webhookDelete: null,
  webhookRotateSecret: null,
  webhookTest: null,
  webhookRedeliver: null,
  webhookRewind: null,
  issueApiKey: null,
  rotateApiKey: null,
  renameApiKey: null,
  revokeApiKey: null,
  createProject: null,
  setPlan: null,
  suspendProject: null,
  resumeProject: null,
  resumeCertificates: null,
  banApiKey: null,
  liftBan: null,
  resetRateLimit: null,
  addDomain: null,
  verifyDomain: null,
  reverifyDomain: null,
  removeDomain: null,
  deploy: null,
  rollback: null,
} satisfies Record<RootField, Scope | null>

/** The root fields that the plan's budget pays for, with their scopes. */
export const storeFields = new Map(
  Object.entries(budgets).flatMap(([field, scope]): [string, Scope][] => (scope ? [[field, scope]] : [])),
)
export const schemaFields: readonly string[] = ['__schema', '__type', '__typename']
export const freeFields: readonly string[] = ['rateLimit', '__typename']

/** Root fields about the person who calls. Members of a suspended project can still use these fields. */
export const personFields: readonly string[] = [
  'caller',
  'viewer',
  'viewerRename',
  'viewerDelete',
  'sessionEnd',
  'sessionsEnd',
  'passkeyRemove',
  '__typename',
]

/**
 * True if the plan's budget pays for this field of `Project`. `pet` is checked separately, because no root field has
 * this name.
 */
export const isOfPlan = (field: string) => field === 'pet' || storeFields.has(field)

/** Fields of `Project` that cost the same as the root field of the same name. */
export const projectFields: readonly string[] = [
  'pets',
  'pet',
  'categories',
  'category',
  'orders',
  'order',
  'apiKeys',
  'domains',
  'domain',
  'domainPreconditions',
  'deploys',
  'usage',
]
