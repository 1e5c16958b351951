import { claimDueCertificates, type LeasedName } from './certificate-lease.ts'
import type { CertificateTools } from './certificate-tools.ts'
import type { Work } from './worker.ts'

const everyMs = 1_000

/**
 * Takes the next step of each certificate when it is due. A process whose SECRETS_KEY does not open the keys leaves the
 * certificates to other processes.
 */
export function seeToCertificates(tools: CertificateTools, wake: () => void): Work<LeasedName> {
  const { db, clock, seal } = tools
  const held = new Map<number | null, number>()
  const hold = (projectId: number | null, places: 1 | -1) => {
    const count = (held.get(projectId) ?? 0) + places
    if (count > 0) held.set(projectId, count)
    else held.delete(projectId)
  }

  return {
    everyMs,
    mostAtOnce: 10,
    async claim(most) {
      if (seal.refusal() !== null) return []
      const leased = await claimDueCertificates(db, clock, most, held)
      for (const { projectId } of leased) hold(projectId, 1)
      return leased
    },
    async run({ name, leasedUntil, projectId }, signal) {
      try {
        const { issueCertificate } = await import('./issue-certificates.ts')
        const dueAt = await issueCertificate(tools, name, leasedUntil, signal)
        const dueInMs = dueAt && Math.max(0, dueAt.getTime() - clock.now())
        if (dueInMs !== null && dueInMs < everyMs) setTimeout(wake, dueInMs).unref()
      } finally {
        hold(projectId, -1)
      }
    },
  }
}
