import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

/** Returns a certificate's identifier as in RFC 9773: its authority's key identifier and its serial number. */
export function renewalIdOf(chain: string): string | null {
  const leaf = new x509.X509Certificate(chain.slice(0, chain.indexOf('-----END CERTIFICATE-----') + 25))
  const authority = leaf.getExtension(x509.AuthorityKeyIdentifierExtension)?.keyId
  if (!authority) return null
  const base64url = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')
  // If the first bit of the serial number is set, DER adds a zero byte in front. RFC 9773 includes that byte, the
  // library omits it.
  const serial = /^[89a-f]/i.test(leaf.serialNumber) ? `00${leaf.serialNumber}` : leaf.serialNumber
  return `${base64url(authority)}.${base64url(serial)}`
}

const leastWaitMs = 60_000
const mostWaitMs = 86_400_000
const usualWaitMs = 6 * 3_600_000

/**
 * Picks a random time in the window that the authority suggests, so that not all clients of the authority renew at
 * once.
 */
export function readRenewalInfo(body: unknown, retryAfter: Date | null, now: number, random = Math.random) {
  const window = (body as { suggestedWindow?: { start?: string; end?: string } } | null)?.suggestedWindow
  const start = Date.parse(window?.start ?? '')
  const end = Date.parse(window?.end ?? '')
  if (!(start <= end)) return null
  const wait = retryAfter ? retryAfter.getTime() - now : usualWaitMs
  return {
    renewAt: new Date(start + random() * (end - start)),
    askAgainAt: new Date(now + Math.min(mostWaitMs, Math.max(leastWaitMs, wait))),
  }
}
