import { t } from '../../texts/pages.ts'

/** The events that an endpoint can choose, in groups. Events that occur only in the audit log are left out. */
export const typeGroups = [
  {
    title: t.webhooks.pets,
    types: ['pet.created', 'pet.updated', 'pet.deleted', 'pets.created', 'pets.replaced'],
  },
  {
    title: t.webhooks.orders,
    types: [
      ...['order.placed', 'order.approved', 'order.delivered', 'order.cancelled', 'order.updated'],
      'order.deleted',
    ],
  },
  { title: t.webhooks.categories, types: ['category.named', 'category.removed'] },
  {
    title: t.webhooks.apiKeys,
    types: [
      ...['api_key.issued', 'api_key.rotated', 'api_key.revoked', 'api_key.expiring', 'api_key.leaked'],
    ],
  },
  {
    title: t.webhooks.domainsAndCertificates,
    types: [
      ...['domain.added', 'domain.verified', 'domain.drifted', 'domain.lost', 'domain.removed'],
      ...['certificate.issued', 'certificate.failed', 'certificate.expiring'],
    ],
  },
  {
    title: t.webhooks.project,
    types: [
      ...['deploy.succeeded', 'deploy.failed', 'plan.changed', 'project.suspended', 'project.resumed'],
      ...['limit.reached', 'usage.recorded', 'webhook.disabled'],
    ],
  },
] as const
