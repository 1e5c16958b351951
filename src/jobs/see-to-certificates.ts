import { claimDueCertificates, type LeasedName } from './certificate-lease.ts'
import type { CertificateTools } from './certificate-tools.ts'
import type { Work } from './worker.ts'

/** Takes the next step of each certificate at its time; a process without their key leaves them to those that have it. */
export function seeToCertificates(tools: CertificateTools): Work<LeasedName> {
  const { db, clock, seal } = tools
  return {
    everyMs: 1_000,
    mostAtOnce: 5,
    claim: async most => (seal.refusal() === null ? claimDueCertificates(db, clock, most) : []),
    async run({ name, leasedUntil }, signal) {
      const { issueCertificate } = await import('./issue-certificates.ts')
      await issueCertificate(tools, name, leasedUntil, signal)
    },
  }
}
