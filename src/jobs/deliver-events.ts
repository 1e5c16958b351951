import { type DeliveryTools, deliverDue } from '../core/events/deliveries.ts'
import { claimDueEndpoints } from '../core/events/endpoint-lease.ts'
import { runFor } from '../database/owner.ts'
import type { WebhookEndpoint } from '../generated/prisma/client.ts'
import type { Work } from './worker.ts'

/** A job mostly waits for its receiver; a receiver that hangs occupies a place for 15 s. */
const mostAtOnce = 200
const everyMs = 1_000

/** Sends events to webhook endpoints. Database rows record which endpoint is due and which process has leased it. */
export function deliverEvents(tools: DeliveryTools): Work<WebhookEndpoint> {
  return {
    everyMs,
    mostAtOnce,
    claim: most => claimDueEndpoints(tools.db, tools.clock, most),
    run: (endpoint, signal) => runFor(endpoint.projectId, () => deliverDue(tools, endpoint, signal)),
  }
}
