import type { DeliveryTools } from '../core/events/deliveries.ts'
import type { LimitNotices } from '../core/projects/limit-notices.ts'
import type { CertificateTools } from './certificate-tools.ts'
import { checkCounts } from './check-counts.ts'
import { type CheckTools, checkDomains } from './check-domains.ts'
import { deliverEvents } from './deliver-events.ts'
import { forgetEvents } from './forget-events.ts'
import { forgetIdempotencyKeys } from './forget-idempotency-keys.ts'
import { forgetNames } from './forget-names.ts'
import { recordEnds, recordUsedUpLimits } from './notices.ts'
import { type EventTools, giveNumbers } from './number-events.ts'
import { reseal } from './reseal.ts'
import { addUpPets, addUpUsage } from './roll-up.ts'
import { seeToCertificates } from './see-to-certificates.ts'
import { tidy } from './tidy.ts'
import { named, startWorker, type Worker } from './worker.ts'

type Noun = 'domains' | 'webhooks'

/**
 * The background jobs of every process. Rows of the database lease each certificate, DNS check and webhook endpoint to
 * one process. The other jobs run at intervals in every process.
 */
export type Jobs = {
  start(): void
  /**
   * Runs the due jobs of domains or of webhooks now. Does not run other jobs, such as clean-ups, which are not urgent
   * when a domain was added.
   */
  wake(noun: Noun): void
  close(): Promise<void>
}

export function openJobs(
  tools: CertificateTools & CheckTools & EventTools & { webhooks: DeliveryTools; limitNotices: LimitNotices },
): Jobs {
  const { db, clock, database, changes } = tools
  let workers: Worker[] = []
  let numbering: Worker | null = null
  const ofNoun: Record<Noun, Worker[]> = { domains: [], webhooks: [] }
  const wake = (noun: Noun) => {
    for (const worker of ofNoun[noun]) worker.wake()
  }

  // The change `events` means that events got their numbers, so deliver them. Any other change may have written events,
  // so number them.
  changes.follow(change => {
    if (change?.what === 'events') wake('webhooks')
    else numbering?.wake()
  })

  return {
    wake,
    start() {
      const certificates: Worker = startWorker(
        tools,
        named(
          'certificates',
          seeToCertificates(tools, () => certificates.wake()),
        ),
      )
      const checks = startWorker(
        tools,
        named(
          'DNS checks',
          checkDomains(tools, () => certificates.wake()),
        ),
      )
      numbering = startWorker(tools, { ...giveNumbers(tools), name: 'event numbers' })
      const delivering = startWorker(tools, named('webhooks', deliverEvents(tools.webhooks)))
      ofNoun.domains = [certificates, checks]
      ofNoun.webhooks = [delivering]
      workers = [
        numbering,
        delivering,
        certificates,
        checks,
        startWorker(tools, { ...forgetEvents(db, clock), name: 'old events' }),
        startWorker(tools, { ...forgetIdempotencyKeys(db, clock), name: 'old idempotency keys' }),
        startWorker(tools, { ...forgetNames(db), name: 'names of deleted people' }),
        startWorker(tools, named('clock', tidy(db, clock))),
        startWorker(tools, named('notices', recordEnds(db, clock))),
        startWorker(tools, {
          ...named('notices', recordUsedUpLimits(tools.limitNotices)),
          name: 'used-up limits',
        }),
        startWorker(tools, { ...addUpPets(database), name: 'inventory' }),
        startWorker(tools, { ...checkCounts(tools), name: 'inventory check' }),
        startWorker(tools, { ...addUpUsage(database, clock), name: 'usage' }),
        startWorker(tools, named('sealing', reseal(tools))),
      ]
    },
    close: async () => void (await Promise.all(workers.map(worker => worker.close()))),
  }
}
