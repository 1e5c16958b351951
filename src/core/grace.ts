import type { PrismaClient } from '../generated/prisma/client.ts'
import { countHostsChange } from './hosts-version.ts'
import { graceMs } from './look-times.ts'
import { plansWithoutDomains } from './plans.ts'

/** Starts the grace time of projects that fell to a plan without domains, and ends it for those that came back. */
export function noteGrace(db: PrismaClient, now: Date): Promise<void> {
  return db.$transaction(async tx => {
    const fallen = await tx.project.updateMany({
      where: {
        planName: { in: plansWithoutDomains },
        domainsGraceEndsAt: null,
        domains: { some: { ownedName: { not: null } } },
      },
      data: { domainsGraceEndsAt: new Date(now.getTime() + graceMs) },
    })
    const returned = await tx.project.updateMany({
      where: { planName: { notIn: plansWithoutDomains }, domainsGraceEndsAt: { not: null } },
      data: { domainsGraceEndsAt: null },
    })
    if (fallen.count + returned.count > 0) await countHostsChange(tx)
  })
}
