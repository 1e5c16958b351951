import type { Scope } from '../../../generated/contract.ts'
import type { Session } from '../../app/session.ts'

const showEvents: readonly Scope[] = ['pets_read', 'orders_read', 'project_read']

/**
 * Returns true if the store lets the caller issue a key with this scope: a scope of its own, or a scope that shows or
 * sends only what the caller can see anyway.
 */
export function isGrantable(scope: Scope, { operator, scopes }: Session): boolean {
  const seesEvents = scopes.includes('events_read') || showEvents.every(each => scopes.includes(each))
  return (
    operator ||
    scopes.includes(scope) ||
    (scope === 'events_read' && seesEvents) ||
    (scope === 'webhooks_write' && seesEvents && scopes.includes('project_write'))
  )
}
