import { createPrivateKey, X509Certificate } from 'node:crypto'
import { quoted } from '../hosting/acme-errors.ts'
import { AuthorityRefusal } from '../hosting/certificate-authority.ts'

export type IssuedCertificate = { chain: string; key: string; notBefore: Date; notAfter: Date }

/**
 * Parses a certificate. Throws if it is not for this name and key. If the answer contains no certificate, the error
 * quotes the answer.
 */
export function readIssued(chain: string, key: string, name: string, host: string): IssuedCertificate {
  const leaf = readLeaf(chain, host)
  if (!leaf.checkHost(name)) throw refusal(host, `it issued a certificate that is not for ${name}`)
  if (!leaf.checkPrivateKey(createPrivateKey(key)))
    throw refusal(host, 'it issued a certificate for another key')
  return { chain, key, notBefore: leaf.validFromDate, notAfter: leaf.validToDate }
}

function readLeaf(chain: string, host: string): X509Certificate {
  try {
    return new X509Certificate(chain)
  } catch {
    throw refusal(host, `it answered with no certificate: ${quoted(chain)}`)
  }
}

const refusal = (host: string, what: string) =>
  new AuthorityRefusal('ca_refused', `The certificate authority ${host} made a mistake: ${what}.`)
