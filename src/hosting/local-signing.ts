import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import type { Clock } from '../tools/clock.ts'
import { dayMs } from '../tools/durations.ts'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const rootDays = 3_650
const leafDays = 90

x509.cryptoProvider.set(webcrypto as Crypto)

/** Signs a certificate for `name` and the request's key. `storedPem` holds the authority's key and root. */
export async function signLeaf(storedPem: string, name: string, csr: Buffer, clock: Clock): Promise<string> {
  const [keyPem = '', rootPem = ''] = storedPem.split(/(?=-----BEGIN CERTIFICATE-----)/)
  const root = new x509.X509Certificate(rootPem)
  const signingKey = await webcrypto.subtle.importKey(
    'pkcs8',
    x509.PemConverter.decodeFirst(keyPem),
    algorithm,
    false,
    ['sign'],
  )
  const request = new x509.Pkcs10CertificateRequest(csr.toString())
  const now = clock.now()
  const leaf = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    issuer: root.subject,
    notBefore: new Date(now - 3_600_000),
    notAfter: new Date(now + leafDays * dayMs),
    publicKey: request.publicKey,
    signingKey,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }], true),
      await x509.SubjectKeyIdentifierExtension.create(request.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(root.publicKey),
    ],
  })
  return `${leaf.toString('pem')}\n`
}

/** Creates an authority: its key, and the root to install in browsers. */
export async function makeRoot(clock: Clock): Promise<string> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const now = clock.now()
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: 'CN=Animal Store local authority',
    notBefore: new Date(now - dayMs),
    notAfter: new Date(now + rootDays * dayMs),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return `${x509.PemConverter.encode(key, 'PRIVATE KEY')}\n${root.toString('pem')}\n`
}

/** Returns a positive, unpredictable serial number, as RFC 5280 and browsers require. */
function serialNumber(): string {
  const bytes = webcrypto.getRandomValues(new Uint8Array(16))
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return Buffer.from(bytes).toString('hex')
}
