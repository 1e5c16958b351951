import { readFileSync } from 'node:fs'
import { makeExecutableSchema } from '@graphql-tools/schema'
import type { GraphQLResolveInfo, GraphQLSchema } from 'graphql'
import type { Context } from './context.ts'
import { ApiKey, apiKeyMutations, apiKeyQueries, Scope } from './fields/api-keys.ts'
import { AuditEntry, auditQueries } from './fields/audit-log.ts'
import { banMutations } from './fields/bans.ts'
import { bulkMutations } from './fields/bulk.ts'
import { Category, categoryMutations, categoryQueries } from './fields/categories.ts'
import { Deploy, deployMutations, deployQueries, projectHosting } from './fields/deploys.ts'
import { Domain, DomainWarning } from './fields/domain-type.ts'
import { domainMutations, domainQueries } from './fields/domains.ts'
import { Event, eventQueries, eventSubscriptions } from './fields/events.ts'
import { formerMutations } from './fields/former-mutations.ts'
import { JoinDomain, joinDomainMutations, projectJoinDomains } from './fields/join-domains.ts'
import { nodeQueries } from './fields/node.ts'
import { Operator, operatorMutations, operatorQueries } from './fields/operators.ts'
import { Order, orderMutations, orderQueries } from './fields/orders.ts'
import {
  Invitation,
  Member,
  Passkey,
  peopleMutations,
  peopleQueries,
  projectPeople,
  Session,
  Viewer,
} from './fields/people.ts'
import { Pet, PetConnection, petMutations, petQueries } from './fields/pets.ts'
import { Plan, Project, projectMutations, projectQueries } from './fields/projects.ts'
import { KeyUsage, Usage, UsageByDoor, UsageDay, UsageHour, usageQueries } from './fields/usage.ts'
import { Webhook, WebhookDelivery, webhookMutations, webhookQueries } from './fields/webhooks.ts'
import type { Resolvers } from './generated/resolvers.ts'
import { DateScalar, DateTime, JsonScalar } from './scalars.ts'

/** With `satisfies` the compiler rejects a field of schema.graphql without a resolver. */
const resolvers = {
  Query: {
    ...petQueries,
    ...categoryQueries,
    ...orderQueries,
    ...projectQueries,
    ...usageQueries,
    ...apiKeyQueries,
    ...domainQueries,
    ...deployQueries,
    ...eventQueries,
    ...auditQueries,
    ...webhookQueries,
    ...peopleQueries,
    ...operatorQueries,
    ...nodeQueries,
  },
  Mutation: {
    ...petMutations,
    ...bulkMutations,
    ...categoryMutations,
    ...orderMutations,
    ...projectMutations,
    ...apiKeyMutations,
    ...banMutations,
    ...domainMutations,
    ...deployMutations,
    ...webhookMutations,
    ...peopleMutations,
    ...joinDomainMutations,
    ...operatorMutations,
    ...formerMutations,
  },
  Subscription: eventSubscriptions,
  Pet,
  PetConnection,
  Category,
  Order,
  Project: { ...Project, ...projectHosting, ...projectPeople, ...projectJoinDomains },
  Viewer,
  Session,
  JoinDomain,
  Passkey,
  Operator,
  Member,
  Invitation,
  Domain,
  DomainWarning,
  Deploy,
  Event,
  AuditEntry,
  Webhook,
  WebhookDelivery,
  Plan,
  ApiKey,
  Usage,
  UsageDay,
  UsageHour,
  UsageByDoor,
  KeyUsage,
  Scope,
  DateTime,
  Date: DateScalar,
  JSON: JsonScalar,
} satisfies Resolvers & Required<Pick<Resolvers, 'Query' | 'Mutation'>>

let schema: GraphQLSchema | undefined

export function makeSchema(): GraphQLSchema {
  schema ??= makeExecutableSchema({
    typeDefs: readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'),
    resolvers: { ...resolvers, Mutation: inTurn(resolvers.Mutation) },
    noLocation: true,
  })
  return schema
}

type MutationResolver = (parent: never, args: never, context: Context, info: GraphQLResolveInfo) => unknown

/**
 * The mutations of an operation run one after the other. Each mutation clears what was loaded before, because it may
 * change the loaded data.
 */
function inTurn(mutations: Readonly<Record<string, MutationResolver>>): Record<string, MutationResolver> {
  const forgetting = Object.entries(mutations).map(([name, resolve]): [string, MutationResolver] => [
    name,
    (parent, args, context, info) => {
      context.forgetLoaded()
      return resolve(parent, args, context, info)
    },
  ])
  return Object.fromEntries(forgetting)
}
