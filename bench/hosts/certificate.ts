// A chain like a public authority's, about 3.7 KB: a leaf with an elliptic key, below an RSA intermediate.
import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

export type Issued = { chain: string; key: string; root: string }

const elliptic = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const rsa = (modulusLength: number) => ({
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength,
})
const dayMs = 86_400_000

/** Issues one wildcard certificate for a hundred thousand names, so that each can be visited over TLS. */
export async function issueWildcard(domain: string): Promise<Issued> {
  x509.cryptoProvider.set(webcrypto as Crypto)
  const rootKeys = await generate(rsa(4096))
  const intermediateKeys = await generate(rsa(2048))
  const leafKeys = await generate(elliptic)
  const span = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + 90 * dayMs) }
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    ...span,
    name: 'CN=Bench Root, O=Bench',
    keys: rootKeys,
    signingAlgorithm: rsa(4096),
    extensions: await extensionsOf(rootKeys, rootKeys, [new x509.BasicConstraintsExtension(true, 1, true)]),
  })
  const intermediate = await x509.X509CertificateGenerator.create({
    ...span,
    subject: 'CN=Bench Intermediate 1, O=Bench Certificate Authority, C=US',
    issuer: root.subject,
    publicKey: intermediateKeys.publicKey,
    signingKey: rootKeys.privateKey,
    signingAlgorithm: rsa(4096),
    extensions: await extensionsOf(intermediateKeys, rootKeys, [
      new x509.BasicConstraintsExtension(true, 0, true),
    ]),
  })
  const leaf = await x509.X509CertificateGenerator.create({
    ...span,
    subject: `CN=*.${domain}`,
    issuer: intermediate.subject,
    publicKey: leafKeys.publicKey,
    signingKey: intermediateKeys.privateKey,
    signingAlgorithm: rsa(2048),
    extensions: await extensionsOf(leafKeys, intermediateKeys, [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: `*.${domain}` }]),
      // Certificates contain two signed timestamps of this size. Their content does not matter here.
      new x509.Extension('1.3.6.1.4.1.11129.2.4.2', false, new Uint8Array(244)),
    ]),
  })
  const key = await webcrypto.subtle.exportKey('pkcs8', leafKeys.privateKey)
  return {
    chain: `${leaf.toString('pem')}\n${intermediate.toString('pem')}\n`,
    key: x509.PemConverter.encode(key, 'PRIVATE KEY'),
    root: root.toString('pem'),
  }
}

async function generate(
  algorithm: typeof elliptic | ReturnType<typeof rsa>,
): Promise<webcrypto.CryptoKeyPair> {
  return (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair
}

async function extensionsOf(
  own: webcrypto.CryptoKeyPair,
  signer: webcrypto.CryptoKeyPair,
  more: x509.Extension[],
) {
  return [
    ...more,
    await x509.SubjectKeyIdentifierExtension.create(own.publicKey),
    await x509.AuthorityKeyIdentifierExtension.create(signer.publicKey),
    new x509.AuthorityInfoAccessExtension({ caIssuers: ['http://r1.issuer.example.com/'] }),
    new x509.CRLDistributionPointsExtension(['http://r1.crl.example.com/42.crl']),
    new x509.CertificatePolicyExtension(['2.23.140.1.2.1']),
  ]
}
