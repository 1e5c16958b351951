import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as x509 from '@peculiar/x509'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isRevoked } from '../../src/hosting/revocation.ts'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const newKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])

let list: Buffer | null = null
const server = createServer((_, response) =>
  list ? response.end(list) : response.writeHead(404).end('no list'),
)
let url: string
beforeAll(async () => {
  x509.cryptoProvider.set(webcrypto as Crypto)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/list`
})
afterAll(() => server.close())

const signedBy = { issuer: 'CN=Authority', signingAlgorithm: algorithm }

async function makeChain(
  keys: webcrypto.CryptoKeyPair,
  serialNumber: string,
  namesList = true,
): Promise<string> {
  const common = { notBefore: new Date(Date.now() - 1_000), notAfter: new Date(Date.now() + 86_400_000) }
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    ...common,
    name: 'CN=Authority',
    serialNumber: '01',
    keys,
    signingAlgorithm: algorithm,
  })
  const leaf = await x509.X509CertificateGenerator.create({
    ...common,
    ...signedBy,
    subject: 'CN=www.shop.test',
    serialNumber,
    publicKey: (await newKeys()).publicKey,
    signingKey: keys.privateKey,
    extensions: namesList ? [new x509.CRLDistributionPointsExtension([url])] : [],
  })
  return `${leaf.toString('pem')}\n${root.toString('pem')}\n`
}

async function makeList(keys: webcrypto.CryptoKeyPair, serialNumbers: string[]): Promise<Buffer> {
  const crl = await x509.X509CrlGenerator.create({
    ...signedBy,
    thisUpdate: new Date(Date.now() - 1_000),
    nextUpdate: new Date(Date.now() + 86_400_000),
    signingKey: keys.privateKey,
    entries: serialNumbers.map(serialNumber => ({ serialNumber, revocationDate: new Date() })),
  })
  return Buffer.from(crl.rawData)
}

test('a certificate is revoked if its revocation list contains it', async () => {
  const keys = await newKeys()
  list = await makeList(keys, ['0a', '0c'])

  expect(await isRevoked(await makeChain(keys, '0a'))).toBe(true)
  expect(await isRevoked(await makeChain(keys, '0b'))).toBe(false)
  expect(await isRevoked(await makeChain(keys, '0a', false))).toBe(false)
})

test('a certificate is not revoked by a list of another issuer, a missing list or something that is no list', async () => {
  const [keys, others] = [await newKeys(), await newKeys()]
  const chain = await makeChain(keys, '0a')

  for (const bad of [await makeList(others, ['0a']), null, Buffer.from('no list')]) {
    list = bad
    expect(await isRevoked(chain)).toBe(false)
  }
})
