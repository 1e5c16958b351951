import type { Clock } from '../tools/clock.ts'
import type { CertificateAuthority } from './certificate-authority.ts'

/** Loaded at the first signature, because most processes never sign. */
const signing = () => import('./local-signing.ts')

/** The local authority has no directory URL. The database stores this word instead. */
export const localDirectory = 'local'

/** Opens a local authority, which signs at once, to try the whole procedure without the Internet. */
export function openLocalCa(
  keep: (make: () => Promise<string>) => Promise<string>,
  identity: string,
  clock: Clock,
): CertificateAuthority {
  let read: Promise<string> | null = null
  /** Returns the authority's key and root; creates them once. */
  const keepOnce = () => {
    read ??= keep(async () => (await signing()).makeRoot(clock)).catch(error => {
      read = null
      throw error
    })
    return read
  }
  return {
    directoryUrl: localDirectory,
    host: identity,
    async root() {
      const storedPem = await keepOnce()
      return storedPem.slice(storedPem.indexOf('-----BEGIN CERTIFICATE-----'))
    },
    issuer: async () => ({ identities: [identity], accountUrl: null }),
    startOrder: async name => `local:${name}`,
    adviseRenewal: async () => null,
    isRevoked: async () => false,
    async advance(_name, orderUrl, csr) {
      const { signLeaf } = await signing()
      const chain = await signLeaf(await keepOnce(), orderUrl.replace('local:', ''), csr, clock)
      return { outcome: 'issued', chain }
    },
  }
}
