import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

/** How RFC 9773 names a certificate: its authority's key and its serial number. */
export function renewalIdOf(chain: string): string | null {
  const leaf = new x509.X509Certificate(chain.slice(0, chain.indexOf('-----END CERTIFICATE-----') + 25))
  const authority = leaf.getExtension(x509.AuthorityKeyIdentifierExtension)?.keyId
  if (!authority) return null
  const base64url = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')
  // DER has a zero before a first bit that is set, which is part of the name and which the library leaves out.
  const serial = /^[89a-f]/i.test(leaf.serialNumber) ? `00${leaf.serialNumber}` : leaf.serialNumber
  return `${base64url(authority)}.${base64url(serial)}`
}

const leastWaitMs = 60_000
const mostWaitMs = 86_400_000
const usualWaitMs = 6 * 3_600_000

/** A moment of the window that the authority suggests, taken at random so that its clients come one by one. */
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
