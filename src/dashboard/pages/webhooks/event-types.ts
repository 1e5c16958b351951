/** The events that an endpoint can choose, in groups. Those of the audit log alone are left out. */
export const typeGroups = [
  {
    title: 'Pets',
    types: ['pet.created', 'pet.updated', 'pet.deleted', 'pets.created', 'pets.replaced'],
  },
  {
    title: 'Orders',
    types: [
      ...['order.placed', 'order.approved', 'order.delivered', 'order.cancelled', 'order.updated'],
      'order.deleted',
    ],
  },
  { title: 'Categories', types: ['category.named', 'category.removed'] },
  {
    title: 'API keys',
    types: [
      ...['api_key.issued', 'api_key.rotated', 'api_key.revoked', 'api_key.expiring', 'api_key.leaked'],
    ],
  },
  {
    title: 'Domains and certificates',
    types: [
      ...['domain.added', 'domain.verified', 'domain.drifted', 'domain.lost', 'domain.removed'],
      ...['certificate.issued', 'certificate.failed', 'certificate.expiring'],
    ],
  },
  {
    title: 'Project',
    types: [
      ...['deploy.succeeded', 'deploy.failed', 'plan.changed', 'project.suspended', 'project.resumed'],
      ...['limit.reached', 'usage.recorded', 'webhook.disabled'],
    ],
  },
] as const
