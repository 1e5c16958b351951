import { findDeploy } from '../../core/deploys/deploys.ts'
import { findDomainById } from '../../core/domains/domains.ts'
import { StoreError } from '../../core/errors.ts'
import { findEvent } from '../../core/events/log.ts'
import { parseInt64 } from '../../core/int64.ts'
import { findApiKey } from '../../core/keys/api-keys.ts'
import { scopeFor } from '../../core/keys/caller.ts'
import { findOrder } from '../../core/orders/orders.ts'
import { findCategory } from '../../core/pets/categories.ts'
import { listPlans } from '../../core/projects/plans.ts'
import { type Context, managedProject, storeCaller } from '../context.ts'
import type { QueryResolvers } from '../generated/resolvers.ts'
import { kindOf, readId } from '../ids.ts'
import { auditEntryOf } from './audit-log.ts'
import { ownNumber } from './categories.ts'
import { ownId } from './orders.ts'
import { ownerOfDeploy, ownerOfDomain, ownerOfKey } from './owning-project.ts'
import { rateLimitOf } from './usage.ts'
import { ownDelivery, ownWebhook } from './webhooks.ts'

export const nodeQueries = {
  async node(_parent, { id }, context) {
    try {
      return await findNode(context, id)
    } catch (error) {
      // Relay expects null for an id without an object.
      if (error instanceof StoreError && error.code.endsWith('_not_found')) return null
      throw error
    }
  },
} satisfies QueryResolvers

/** Finds the object. Each result has a `__typename`, from which GraphQL knows its type. */
async function findNode(context: Context, id: string) {
  const { db, pets } = context.tools
  switch (kindOf(id)) {
    case 'pet': {
      const pet = await pets.find(storeCaller(context, 'pets:read').project, parseInt64(id) ?? -1n)
      return { __typename: 'Pet' as const, ...pet }
    }
    case 'category': {
      const { project } = storeCaller(context, 'pets:read')
      const category = await findCategory(db, project, ownNumber(id))
      return { __typename: 'Category' as const, ...category }
    }
    case 'order': {
      const order = await findOrder(db, storeCaller(context, 'orders:read').project, ownId(id))
      return { __typename: 'Order' as const, ...order }
    }
    case 'project': {
      const project = await managedProject(context, readId('project', id), 'project:read')
      return { __typename: 'Project' as const, ...project }
    }
    case 'key': {
      const key = await ownerOfKey(context, id, 'project:read')
      return { __typename: 'ApiKey' as const, ...(await findApiKey(db, key.project, key.id)) }
    }
    case 'domain': {
      const { id: own, project } = await ownerOfDomain(context, id, 'project:read')
      return { __typename: 'Domain' as const, domain: await findDomainById(db, project, own), project }
    }
    case 'deploy': {
      const { id: own, project } = await ownerOfDeploy(context, id, 'project:read')
      return { __typename: 'Deploy' as const, deploy: await findDeploy(db, project, own), project }
    }
    case 'event': {
      const { project } = storeCaller(context, scopeFor.getEvent)
      return { __typename: 'Event' as const, ...(await findEvent(context.tools.database, project, id)) }
    }
    case 'webhook':
      return { __typename: 'Webhook' as const, ...(await ownWebhook(context, id)) }
    case 'delivery': {
      const delivery = await ownDelivery(context, id)
      return delivery && { __typename: 'WebhookDelivery' as const, ...delivery }
    }
    case 'entry': {
      const entry = await auditEntryOf(context, id)
      return entry && { __typename: 'AuditEntry' as const, ...entry }
    }
    case 'plan': {
      const plan = (await listPlans(db)).find(({ name }) => name === readId('plan', id))
      return plan ? { __typename: 'Plan' as const, ...plan } : null
    }
    case 'budget': {
      const budget = await rateLimitOf(context, storeCaller(context).project)
      return budget.id === id ? { __typename: 'RateLimit' as const, ...budget } : null
    }
    default:
      return null
  }
}
