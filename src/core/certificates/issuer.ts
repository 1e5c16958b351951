import { X509Certificate } from 'node:crypto'

/** Returns the issuer of a certificate: its organisation if it has one, or else its common name. */
export function issuerOf(chain: string): string {
  const { issuer } = new X509Certificate(chain)
  const [organisation, name] = ['O', 'CN'].map(key => new RegExp(`^${key}=(.*)$`, 'm').exec(issuer)?.[1])
  return organisation ?? name ?? issuer
}
