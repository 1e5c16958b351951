import type { Request, Response } from 'express'
import { findCertificates } from '../core/certificates/certificates.ts'
import { type DeployOutcome, findCurrentDeploys, listDeploysOfProjects } from '../core/deploys/deploys.ts'
import { findLookalikes } from '../core/domains/lookalikes.ts'
import {
  findDomainsById,
  findDomainsNamed,
  listDomainsOfProjects,
  listVerifiedNames,
} from '../core/domains/of-projects.ts'
import { findOwnershipTokens } from '../core/domains/ownership.ts'
import { type DomainWarning, findDomainWarnings } from '../core/domains/warnings.ts'
import { invalidInput, StoreError } from '../core/errors.ts'
import type { StreamTerms } from '../core/events/streams.ts'
import { findGraceEnds } from '../core/hosts/grace-period.ts'
import { type DeprecatedCalls, findIssueTimes, listDeprecatedUses } from '../core/keys/api-keys.ts'
import { type Caller, requireScope } from '../core/keys/caller.ts'
import { findChoices } from '../core/keys/leak-choice.ts'
import { type ApiKeysQuery, listApiKeysOfProjects } from '../core/keys/list.ts'
import type { Scope } from '../core/keys/scopes.ts'
import { listOrdersOfPets, type Order, type PetOrdersQuery } from '../core/orders/orders.ts'
import type { Page } from '../core/pages.ts'
import type { PageOfProject } from '../core/pages-of-projects.ts'
import { listInvitationsOfProjects } from '../core/people/invitations.ts'
import { listJoinDomainsOfProjects } from '../core/people/join-domains.ts'
import { listMembersOfProjects, type Member } from '../core/people/members.ts'
import { findNames } from '../core/people/people.ts'
import { type Category, findCategories } from '../core/pets/categories.ts'
import { countByCategory } from '../core/pets/inventory.ts'
import type { Pet } from '../core/pets/pets.ts'
import { readPets } from '../core/pets/statements.ts'
import type { Project } from '../core/project.ts'
import { findProject } from '../core/projects/operator.ts'
import { listPlans } from '../core/projects/plans.ts'
import type {
  ApiKey,
  Certificate,
  Domain,
  Invitation,
  JoinDomain,
  LeakedKeys,
  Plan,
} from '../generated/prisma/client.ts'
import type { Tools } from '../tools.ts'
import type { Identity } from './identity.ts'
import { type Loader, openLoader } from './loader.ts'
import { newOperation, type Operation } from './operation.ts'
import { openUsageLoaders, type UsageLoaders } from './usage-loaders.ts'

/** Every resolver gets the tools, the client's identity, and loaders that batch over the whole operation. */
export type Context = {
  tools: Tools
  identity: Identity
  request: Request
  response: Response
  /** Created on first use: most operations need no loader, and cached answers never do. */
  loaders(): Loaders
  /** Forgets what the loaders have read, so that the next fields read it again. */
  forgetLoaded(): void
  operation: Operation
  /** The projects of the pets, orders and categories that an operator reads. */
  owners: WeakMap<object, Project>
  /** An operator's loaders, by project. */
  storeLoaders: Map<number, Loaders>
  /**
   * Aborted when the time limit for sending mail in this operation has ended. The time starts with the first message.
   */
  mailUntil?: AbortSignal
  /** Set for a subscription. */
  streamTerms?: StreamTerms
}

export type Loaders = UsageLoaders & {
  /** Loads a category by its number, from the store of the project for which the loaders were made. */
  category: Loader<bigint, Category | null>
  petCount: Loader<bigint, number>
  pet: Loader<bigint, Pet | null>
  ordersOfPet: Loader<PetOrdersQuery, Page<Order>>
  plan: Loader<string, Plan>
  deprecatedUses: Loader<string, DeprecatedCalls[]>
  /** When each API key was issued, by the key's id. */
  issueTime: Loader<string, Date>
  /** By the person's id; null if the person was deleted. */
  personName: Loader<string, string | null>
  members: Loader<number, Member[]>
  invitations: Loader<number, Invitation[]>
  joinDomains: Loader<number, JoinDomain[]>
  certificate: Loader<string, Certificate | null>
  apiKeys: Loader<ApiKeysQuery, ApiKey[]>
  deploys: Loader<PageOfProject<number>, DeployOutcome[]>
  domains: Loader<PageOfProject<string>, Domain[]>
  domain: Loader<string, Domain | null>
  domainNamed: Loader<{ projectId: number; name: string }, Domain | null>
  /** The key of this loader and of the loaders below is a project's id; `lookalike` also needs a name. */
  verifiedNames: Loader<number, string[]>
  currentDeploy: Loader<number, DeployOutcome | null>
  domainWarnings: Loader<number, DomainWarning[]>
  graceEnd: Loader<number, Date | null>
  leakedKeys: Loader<number, LeakedKeys>
  ownershipToken: Loader<number, string>
  lookalike: Loader<{ projectId: number; name: string }, string | null>
}

export function makeContext(tools: Tools, identity: Identity, request: Request, response: Response): Context {
  let loaders: Loaders | undefined
  const storeLoaders = new Map<number, Loaders>()
  const context: Context = {
    tools,
    identity,
    request,
    response,
    loaders() {
      loaders ??= makeLoaders(tools, () => ownStore(context.identity).project)
      return loaders
    },
    forgetLoaded() {
      loaders = undefined
      storeLoaders.clear()
    },
    operation: newOperation(),
    owners: new WeakMap(),
    storeLoaders,
  }
  return context
}

/** `store` returns the project whose pets, orders and categories are loaded. */
export function makeLoaders({ db, database, clock }: Tools, store: () => Project): Loaders {
  return {
    ...openUsageLoaders(db, database, clock),
    category: openLoader(ids => findCategories(db, store(), ids)),
    petCount: openLoader(ids => countByCategory(database, store(), ids)),
    pet: openLoader(ids => {
      const project = store()
      return readPets(
        database,
        ids.map(pet => ({ project, pet })),
      )
    }),
    ordersOfPet: openLoader(queries => listOrdersOfPets(db, store(), queries), {
      cacheKeyFn: ({ petId, page }) => `${petId} ${page.limit} ${page.after} ${page.isBackward}`,
    }),
    plan: openLoader(async names => {
      const plans = new Map((await listPlans(db)).map(plan => [plan.name, plan]))
      return names.map(name => plans.get(name) ?? new Error(`there is no plan ${name}`))
    }),
    deprecatedUses: openLoader(async ids => {
      const uses = await listDeprecatedUses(db, ids)
      return ids.map(id => uses.filter(use => use.apiKeyId === id))
    }),
    issueTime: openLoader(ids => findIssueTimes(db, ids)),
    personName: openLoader(ids => findNames(db, ids)),
    members: openLoader(ids => listMembersOfProjects(db, ids)),
    invitations: openLoader(ids => listInvitationsOfProjects(db, clock, ids)),
    joinDomains: openLoader(ids => listJoinDomainsOfProjects(db, ids)),
    certificate: openLoader(names => findCertificates(db, names)),
    currentDeploy: openLoader(ids => findCurrentDeploys(db, ids)),
    apiKeys: openLoader(queries => listApiKeysOfProjects(db, clock, queries), { cacheKeyFn: JSON.stringify }),
    deploys: openLoader(queries => listDeploysOfProjects(db, queries), { cacheKeyFn: JSON.stringify }),
    domains: openLoader(queries => listDomainsOfProjects(db, queries), { cacheKeyFn: JSON.stringify }),
    domain: openLoader(ids => findDomainsById(db, ids)),
    domainNamed: openLoader(queries => findDomainsNamed(db, queries), { cacheKeyFn: JSON.stringify }),
    verifiedNames: openLoader(ids => listVerifiedNames(db, ids)),
    domainWarnings: openLoader(ids => findDomainWarnings(db, new Date(clock.now()), ids)),
    graceEnd: openLoader(ids => findGraceEnds(db, ids)),
    leakedKeys: openLoader(ids => findChoices(db, ids)),
    ownershipToken: openLoader(ids => findOwnershipTokens(db, ids)),
    lookalike: openLoader(names => findLookalikes(db, names)),
  }
}

/** Returns the caller. Throws for an operator, who has no store. */
export function storeCaller({ identity }: Context, scope?: Scope): Caller {
  const caller = ownStore(identity)
  if (scope) requireScope(caller, scope)
  return caller
}

function ownStore(identity: Identity): Caller {
  if (identity.kind === 'caller') return identity.caller
  throw new StoreError(
    'insufficient_scope',
    'An operator has no store of its own; use an API key of a project.',
  )
}

/** Returns the project to manage: the project of the calling key, or the project that an operator names. */
export async function managedProject(
  context: Context,
  slug: string | null | undefined,
  scope: Scope,
  field = 'slug',
): Promise<Project> {
  const { identity, tools } = context
  if (identity.kind === 'operator') {
    if (typeof slug === 'string') return findProject(tools.db, slug)
    throw invalidInput([{ field, message: 'must name a project: an operator has none of its own' }])
  }
  const { project } = storeCaller(context, scope)
  // A project's key must not learn whether other projects exist.
  if (typeof slug === 'string' && slug !== project.slug)
    throw new StoreError('project_not_found', `There is no project ${slug}.`)
  return project
}

export function requireOperator({ identity }: Context): void {
  if (identity.kind === 'operator') return
  throw new StoreError('insufficient_scope', 'Only the operator of the service may do this.')
}
