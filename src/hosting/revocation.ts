import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

const timeoutMs = 10_000
/**
 * A revocation list with a larger Content-Length is not read, but a list without Content-Length is read whole. The
 * revocation lists of public authorities are far smaller.
 */
const mostBytes = 20_000_000

/**
 * True if the certificate is on the revocation list that it names (RFC 5280, 4.2.1.13). Ignores a list of another
 * issuer.
 */
export async function isRevoked(chain: string): Promise<boolean> {
  try {
    const [leaf, issuer] = x509.PemConverter.decode(chain).map(der => new x509.X509Certificate(der))
    const url = leaf && listUrlOf(leaf)
    if (!leaf || !issuer || !url) return false
    const list = new x509.X509Crl(await download(url))
    return (await list.verify({ publicKey: issuer })) && list.findRevoked(leaf) !== null
  } catch {
    return false
  }
}

function listUrlOf(leaf: x509.X509Certificate): string | null {
  const points = leaf.getExtension(x509.CRLDistributionPointsExtension)?.distributionPoints ?? []
  const names = points.flatMap(point => point.distributionPoint?.fullName ?? [])
  return names.map(name => name.uniformResourceIdentifier).find(url => url?.startsWith('http')) ?? null
}

async function download(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
  if (!response.ok || Number(response.headers.get('content-length') ?? 0) > mostBytes) {
    throw new Error(`The revocation list at ${url} cannot be read.`)
  }
  return response.arrayBuffer()
}
