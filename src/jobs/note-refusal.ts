import {
  type AuthorityRefusal,
  type CertificateAuthority,
  StoredPause,
} from '../hosting/certificate-authority.ts'
import type { CertificateTools } from './certificate-tools.ts'

type Refusal = { code: AuthorityRefusal['code'] | 'validation_failed'; message: string; retryAt: Date | null }

/**
 * Logs and counts the authority's refusals. Skips our own pauses and unreadable keys, because then nothing was sent to
 * the authority.
 */
export function noteRefusal(
  { log, metrics }: CertificateTools,
  name: string,
  authority: CertificateAuthority | null,
  refusal: Refusal,
): void {
  const { code, message: reason, retryAt } = refusal
  if (refusal instanceof StoredPause || code === 'key_unreadable') return
  metrics.countAuthorityRefusal(code)
  log.warn({ name, authority: authority?.host, code, reason, retryAt }, 'the certificate authority refused')
}
