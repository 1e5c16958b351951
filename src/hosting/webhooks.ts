import type { Config } from '../config.ts'
import type { DeliveryTools } from '../core/events/deliveries.ts'
import type { EndpointTools } from '../core/events/endpoints.ts'
import { readSentEvents } from '../core/events/sent-events.ts'
import { eventTypes } from '../core/events/types.ts'
import type { Database } from '../database/database.ts'
import { othersAreAtWork } from '../database/pieces.ts'
import type { Clock } from '../tools/clock.ts'
import { openDelays, type Pace } from '../tools/delays.ts'
import { type Network, parseNetwork } from '../tools/networks.ts'
import { openOutgoing } from '../tools/outgoing.ts'
import { reservedNetworks } from './addresses.ts'
import type { ClaimedSeal } from './seal-claim.ts'

/** The tools for webhook endpoints and for the job that sends events to them. */
export type Webhooks = EndpointTools & DeliveryTools

/**
 * Limits the attempts to deliver events of one project from one process. The lease of an endpoint is longer than the start
 * of a turn can take, so it does not end during an attempt: reading unwanted events (5 s), the longest wait (1 s) and one
 * attempt (15 s).
 */
const paceAlone: Pace = { burst: 20, perSecond: 50, longestMs: 1_000 }
/**
 * The limits while other projects are at work. They are lower, because an attempt takes several milliseconds of CPU,
 * and one event may need twenty attempts.
 */
const paceBesideOthers: Pace = { burst: 5, perSecond: 20, longestMs: 1_000 }

/**
 * Makes the tools that send webhooks. With the embedded database, endpoints on this computer are allowed, also over
 * http.
 */
export function openWebhooks(
  { databaseUrl, webhookNetworks }: Pick<Config, 'databaseUrl' | 'webhookNetworks'>,
  { database, clock, seal }: { database: Database; clock: Clock; seal: ClaimedSeal },
): Webhooks {
  const allowsLoopback = databaseUrl === null
  const loopback = ['127.0.0.0/8', '::1'].map(parseNetwork).filter((one): one is Network => one !== null)
  const outgoing = openOutgoing(reservedNetworks, [...webhookNetworks, ...(allowsLoopback ? loopback : [])])
  const [alone, besideOthers] = [openDelays(paceAlone), openDelays(paceBesideOthers)]
  const delayOf = (projectId: number) =>
    (othersAreAtWork(projectId) ? besideOthers : alone)(String(projectId), performance.now())
  const rules = { allowsLoopback, refusalOf: outgoing.refusalOf, eventTypes }
  const readEvents: Webhooks['readEvents'] = (...query) => readSentEvents(database, ...query)
  return { db: database.db, clock, seal, outgoing, rules, readEvents, delayOf }
}
