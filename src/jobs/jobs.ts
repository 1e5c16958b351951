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

/**
 * The background jobs of every process. Rows of the database lease each certificate, DNS check and webhook endpoint to
 * one process. The other jobs run at intervals in every process.
 */
export type Jobs = {
  start(): void
  /**
   * Runs the due jobs of domains, or of a project's webhooks, now. Does not run other jobs, such as clean-ups, which are
   * not urgent when a domain was added.
   */
  wake(...noun: ['domains'] | ['webhooks', projectId: number]): void
  close(): Promise<void>
}

export function openJobs(
  tools: CertificateTools & CheckTools & EventTools & { webhooks: DeliveryTools; limitNotices: LimitNotices },
): Jobs {
  const { db, clock, database, changes } = tools
  let workers: Worker[] = []
  let numbering: Worker | null = null
  let ofDomains: Worker[] = []
  let delivering: Worker | null = null
  /** The projects whose webhooks were woken since the job has last read endpoints. */
  const woken = new Set<number>()
  const wake: Jobs['wake'] = (...[noun, projectId]) => {
    if (noun === 'domains') for (const worker of ofDomains) worker.wake()
    else {
      woken.add(projectId)
      delivering?.wake()
    }
  }

  // The change `events` means that events got their numbers, so deliver them. Any other change may have written events,
  // so number them.
  changes.follow(change => {
    if (change?.what !== 'events') numbering?.wake()
    else if (change.projectId !== null) wake('webhooks', change.projectId)
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
      delivering = startWorker(tools, named('webhooks', deliverEvents(tools.webhooks, woken)))
      ofDomains = [certificates, checks]
      workers = [
        numbering,
        delivering,
        certificates,
        checks,
        startWorker(tools, { ...forgetEvents(db, clock), name: 'old events' }),
        startWorker(tools, { ...forgetIdempotencyKeys(db, clock), name: 'old idempotency keys' }),
        startWorker(tools, { ...forgetNames(db), name: 'names of deleted people' }),
        startWorker(tools, named('clock', tidy(db, clock))),
        ...recordEnds(db, clock).map(work => startWorker(tools, work)),
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
