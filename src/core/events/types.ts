/** Events of pets, orders and categories. */
export const storeTypes = [
  'pet.created',
  'pet.updated',
  'pet.deleted',
  'pets.created',
  'pets.replaced',
  'order.placed',
  'order.approved',
  'order.delivered',
  'order.cancelled',
  'order.updated',
  'order.deleted',
  'category.named',
  'category.removed',
] as const

/** Management events that a project's owner is notified of. */
const noticeTypes = [
  'api_key.issued',
  'api_key.rotated',
  'api_key.revoked',
  'api_key.expiring',
  'api_key.leaked',
  'domain.added',
  'domain.verified',
  'domain.drifted',
  'domain.lost',
  'domain.removed',
  'certificate.issued',
  'certificate.failed',
  'certificate.expiring',
  'deploy.succeeded',
  'deploy.failed',
  'plan.changed',
  'project.suspended',
  'project.resumed',
  'limit.reached',
  'usage.recorded',
  'webhook.disabled',
] as const

/** Management events that are only recorded for later questions. An owner need not react to them. */
export const auditTypes = [
  'api_key.changed',
  'api_key.removed',
  'api_key.refused',
  'api_key.banned',
  'api_key.ban_lifted',
  'domain.changed',
  'certificate.removed',
  'deploy.changed',
  'deploy.removed',
  'project.created',
  'project.changed',
  'project.removed',
  'project.rate_limit_reset',
  'webhook.added',
  'webhook.changed',
  'webhook.removed',
  'member.added',
  'member.changed',
  'member.removed',
  'invitation.added',
  'invitation.changed',
  'invitation.removed',
  'join_domain.added',
  'join_domain.changed',
  'join_domain.removed',
] as const

/** The types of the events about managing a project. */
export const managementTypes = [...noticeTypes, ...auditTypes] as const

/** Entries of the service itself, which belong to no project: only an operator's audit log shows them. */
export const serviceTypes = [
  'plan.limits_changed',
  'table.truncated',
  'person.added',
  'person.changed',
  'person.removed',
  'passkey.added',
  'passkey.changed',
  'passkey.removed',
  'operator.added',
  'operator.removed',
  'certificates.resumed',
] as const

/** Every type of event, a closed list: openapi.yaml has the schema and an example of each. */
export const eventTypes = [...storeTypes, ...managementTypes] as const
export type EventType = (typeof eventTypes)[number]
