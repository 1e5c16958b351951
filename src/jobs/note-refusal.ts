import { type AuthorityRefusal, KeptPause } from '../hosting/certificate-authority.ts'
import type { CertificateTools } from './certificate-tools.ts'

type Refusal = { code: AuthorityRefusal['code'] | 'validation_failed'; message: string; retryAt: Date | null }

/** Tells the operator of each no that the authority said; where it was not asked, it has said nothing. */
export function noteRefusal({ log, metrics }: CertificateTools, name: string, refusal: Refusal): void {
  const { code, message: reason, retryAt } = refusal
  if (refusal instanceof KeptPause || code === 'key_unreadable') return
  metrics.countAuthorityRefusal(code)
  log.warn({ name, code, reason, retryAt }, 'the certificate authority refused')
}
