import { createPrivateKey, X509Certificate } from 'node:crypto'

export type IssuedCertificate = { chain: string; key: string; notBefore: Date; notAfter: Date }

/** Believes an authority only what can be checked: that this certificate is for this name and this key. */
export function readIssued(chain: string, key: string, name: string): IssuedCertificate {
  const leaf = new X509Certificate(chain)
  if (!leaf.checkHost(name)) throw new Error(`The certificate that was issued is not for ${name}.`)
  if (!leaf.checkPrivateKey(createPrivateKey(key)))
    throw new Error('The certificate that was issued is for another key.')
  return { chain, key, notBefore: leaf.validFromDate, notAfter: leaf.validToDate }
}
