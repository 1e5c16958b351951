import { X509Certificate } from 'node:crypto'

/** Who signed a certificate, by the name that people know it under. */
export function issuerOf(chain: string): string {
  const { issuer } = new X509Certificate(chain)
  const [organisation, name] = ['O', 'CN'].map(key => new RegExp(`^${key}=(.*)$`, 'm').exec(issuer)?.[1])
  return organisation ?? name ?? issuer
}
