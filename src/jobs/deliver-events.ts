import { type DeliveryTools, deliverDue } from '../core/events/deliveries.ts'
import { claimDueEndpoints } from '../core/events/endpoint-lease.ts'
import { runFor } from '../database/owner.ts'
import type { WebhookEndpoint } from '../generated/prisma/client.ts'
import type { Work } from './worker.ts'

/** A job mostly waits for its receiver; a receiver that hangs occupies a place for 15 s. */
const mostAtOnce = 200
const everyMs = 1_000

/**
 * Sends events to webhook endpoints. Database rows record which endpoint is due and which process has leased it. The
 * job is woken after each event of any project. Then the job reads only the endpoints of the projects in `woken`, because
 * there may be many endpoints of other projects. About once a second the job reads all endpoints, for retries and for
 * endpoints that other processes have not finished.
 */
export function deliverEvents(tools: DeliveryTools, woken: Set<number>): Work<WebhookEndpoint> {
  let allDueAt = 0
  return {
    everyMs,
    mostAtOnce,
    async claim(most) {
      const isAllDue = performance.now() >= allDueAt
      if (!isAllDue && woken.size === 0) return []
      const projectIds = isAllDue ? null : [...woken]
      woken.clear()
      if (isAllDue) allDueAt = performance.now() + everyMs / 2
      const endpoints = await claimDueEndpoints(tools.db, tools.clock, most, projectIds)
      // If the endpoints fill all places, more may be due: read all endpoints as soon as a place is free.
      if (endpoints.length === most) allDueAt = 0
      return endpoints
    },
    run: (endpoint, signal) => runFor(endpoint.projectId, () => deliverDue(tools, endpoint, signal)),
  }
}
