import {
  type AuthorityRefusal,
  type CertificateAuthority,
  StoredPause,
} from '../hosting/certificate-authority.ts'
import type { CertificateTools } from './certificate-tools.ts'

type Refusal = { code: AuthorityRefusal['code'] | 'validation_failed'; message: string; retryAt: Date | null }

/**
 * Logs and counts a refusal by the authority. Ignores two errors after which nothing was sent to the authority: a pause
 * that this service has stored itself, and an account key that cannot be opened.
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
