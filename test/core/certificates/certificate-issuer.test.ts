import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { expect, test } from 'vitest'
import { issuerNameIn } from '../../../src/core/certificates/certificates.ts'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

test.each([
  ['C=US, O=Let’s Try, CN=R11', 'Let’s Try'],
  ['CN=R11, O=Let’s Try', 'Let’s Try'],
  ['CN=Local authority', 'Local authority'],
  ['C=US, CN=Local authority', 'Local authority'],
  ['OU=Kennel, C=US', 'OU=Kennel\nC=US'],
])('the issuer of a certificate signed by %j is shown as %j', async (name, said) => {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  x509.cryptoProvider.set(webcrypto as Crypto)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ serialNumber: '01', name, keys, signingAlgorithm: algorithm },
    notBefore: new Date(0),
    notAfter: new Date(1),
  })

  expect(issuerNameIn(`${certificate.toString('pem')}\n`)).toBe(said)
})
