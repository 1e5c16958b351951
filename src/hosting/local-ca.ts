import type { Clock } from '../tools/clock.ts'
import type { CertificateAuthority } from './certificate-authority.ts'
import { keepFile } from './kept-file.ts'

/** Loaded when something is to be signed: most starts have nothing of the kind. */
const signing = () => import('./local-signing.ts')

/** An authority of our own, which signs at once, for trying the whole procedure without the Internet. */
export async function openLocalCa(
  dataDir: string,
  identity: string,
  clock: Clock,
): Promise<CertificateAuthority> {
  const kept = await keepFile(dataDir, 'local-ca.pem', async () => (await signing()).makeRoot(clock))
  const rootPem = kept.slice(kept.indexOf('-----BEGIN CERTIFICATE-----'))
  return {
    rootPem,
    issuer: async () => ({ identities: [identity], accountUrl: null }),
    startOrder: async name => `local:${name}`,
    adviseRenewal: async () => null,
    async advance(_name, orderUrl, csr) {
      const { signLeaf } = await signing()
      const chain = await signLeaf(kept, orderUrl.replace('local:', ''), csr, clock)
      return { outcome: 'issued', chain }
    },
  }
}
