import type { Prisma } from '../../src/generated/prisma/client.ts'
import type { App, TestProject } from './start-app.ts'

export const dayMs = 86_400_000

export type Written = {
  domain?: Partial<Prisma.DomainUncheckedCreateInput>
  certificate?: Partial<Prisma.CertificateUncheckedCreateInput>
}

/**
 * Writes the rows of a live domain with a healthy certificate, with the given changes. Jobs look at the rows only after
 * a day, unless the changes set another time.
 */
export async function writeDomain(
  { tools: { db, clock } }: App,
  { project }: TestProject,
  name: string,
  { domain, certificate }: Written = {},
) {
  const inDays = (days: number) => new Date(clock.now() + days * dayMs)
  const now = inDays(0)
  const verdict = { code: null, message: '', found: [], expected: [], inTheWay: null }
  const live = { ownedName: name, state: 'live', verifiedAt: inDays(-60), verdict } as const
  const looked = { createdAt: now, looksSince: now, lookedAt: now, nextLookAt: inDays(1) }
  await db.domain.create({ data: { projectId: project.id, name, ...looked, ...live, ...domain } })
  const life = { notBefore: inDays(-30), notAfter: inDays(60), renewAt: inDays(30) }
  await db.certificate.create({
    data: { name, wantedSince: inDays(-30), nextStepAt: inDays(1), ...life, ...certificate },
  })
}
