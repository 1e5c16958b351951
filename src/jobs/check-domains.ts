import { maySucceed } from '../core/certificates/backlog.ts'
import { recordDnsVerdict } from '../core/domains/record-dns-verdict.ts'
import { StoreError } from '../core/errors.ts'
import type { CheckDns, DnsLook } from '../core/hosts/dns-verdict.ts'
import { type NameRules, whyNotAdmitted } from '../core/hosts/names.ts'
import { platformHostOf } from '../core/hosts/platform-host.ts'
import type { Domain, PrismaClient, Project } from '../generated/prisma/client.ts'
import type { Clock } from '../tools/clock.ts'
import type { Work } from './worker.ts'

type DueDomain = Domain & { project: Project }
export type CheckTools = {
  db: PrismaClient
  clock: Clock
  checkDns: CheckDns
  platformHost: string
  nameRules: NameRules
}

const leaseMs = 30_000

/** Checks the DNS of domains on a schedule: pending ones less and less often, live ones daily. */
export function checkDomains(
  { db, clock, checkDns, platformHost, nameRules }: CheckTools,
  wake: () => void,
): Work<DueDomain> {
  return {
    everyMs: 1_000,
    mostAtOnce: 10,

    async claim(most) {
      const now = new Date(clock.now())
      const free = { OR: [{ leasedUntil: null }, { leasedUntil: { lte: now } }] }
      const due = await db.domain.findMany({
        where: { nextLookAt: { lte: now }, AND: [free, maySucceed] },
        include: { project: true },
        orderBy: { nextLookAt: 'asc' },
        take: most,
      })
      const leasedUntil = new Date(now.getTime() + leaseMs)
      const mine: DueDomain[] = []
      for (const domain of due) {
        const where = { id: domain.id, nextLookAt: domain.nextLookAt, ...free }
        const { count } = await db.domain.updateMany({ where, data: { leasedUntil } })
        if (count > 0) mine.push(domain)
      }
      return mine
    },

    async run(domain) {
      const beganAt = clock.now()
      // The operator's rules may have changed since the domain was added.
      const why = whyNotAdmitted(domain.name, nameRules)
      const look =
        why === null
          ? await checkDns(domain.name, platformHostOf(domain.project, platformHost))
          : notChecked(domain.name, why)
      const cause = { isRequested: false, beganAt } as const
      const after = await recordDnsVerdict(db, clock, domain.id, look, cause).catch(unlessRemoved)
      if (after?.ownedName && !domain.ownedName) wake()
    },
  }
}

/** A result that proves nothing. A live domain stays live. */
const notChecked = (name: string, why: string): DnsLook => ({
  verdict: {
    code: 'dns_unreachable',
    message: `${name} is not checked in DNS any more, because it ${why}.`,
    ...{ found: [], expected: [], inTheWay: null },
  },
  proof: { namesTarget: false, needsToken: false, tokens: null, partialTokens: [] },
  zone: null,
})

/** Ignores the error if the project removed the domain during the check. */
function unlessRemoved(error: unknown): null {
  if (error instanceof StoreError && error.code === 'domain_not_found') return null
  throw error
}
