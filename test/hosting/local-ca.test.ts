import 'reflect-metadata'
import { X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import acme from 'acme-client'
import { expect, test } from 'vitest'
import { openLocalCa } from '../../src/hosting/local-ca.ts'
import { systemClock } from '../../src/tools/clock.ts'

const name = 'www.shop.test'
const day = 86_400_000

test('the root of the local authority is read again after failed reads, and is cached after the first successful read', async () => {
  let reads = 0
  let isAway = true
  const authority = openLocalCa(
    async make => {
      reads++
      if (isAway) throw new Error('The database is away.')
      return make()
    },
    'animals.test',
    systemClock,
  )

  for (const ask of [() => authority.root?.(), () => authority.root?.()])
    await expect(ask()).rejects.toThrow('away')
  isAway = false
  const [one, other] = await Promise.all([authority.root?.(), authority.root?.()])

  expect(one).toMatch(/^-----BEGIN CERTIFICATE-----/)
  expect([other, await authority.root?.()]).toEqual([one, one])
  expect(reads).toBe(3)
})

/** Opens an authority whose clock stands still, so that the certificates' dates are fixed. */
function openAt(now: number) {
  return openLocalCa(make => make(), 'animals.test', { now: () => now, aheadMs: () => 0 })
}
async function issue(authority: ReturnType<typeof openAt>) {
  const [, csr] = await acme.crypto.createCsr({ altNames: [name] })
  const step = await authority.advance(name, await authority.startOrder(name, null), csr, async () => false)
  if (step.outcome !== 'issued') throw new Error('the local authority signs at once')
  return step.chain
}

test('the local authority has the platform host as its name in CAA records, suggests no renewal and reveals no private key', async () => {
  const authority = openAt(Date.now())
  const root = await authority.root?.()

  expect(await authority.issuer('www.shop.test')).toEqual({ identities: ['animals.test'], accountUrl: null })
  expect(await authority.adviseRenewal(name, await issue(authority))).toBeNull()
  expect(root).not.toContain('PRIVATE')
})

test('the root certificate lasts ten years and can sign, and an issued certificate lasts ninety days and covers only its own name', async () => {
  const now = Date.parse('2026-06-01T12:00:00Z')
  const authority = openAt(now)

  const root = new X509Certificate((await authority.root?.()) ?? '')
  const chains = [await issue(authority), await issue(authority)]
  const leaves = chains.map(chain => new X509Certificate(chain))

  const span = ({ validFrom, validTo }: X509Certificate) =>
    [validFrom, validTo].map(at => (Date.parse(at) - now) / day)
  expect([root.ca, ...span(root)]).toEqual([true, -1, 3_650])
  for (const leaf of leaves) {
    expect([leaf.ca, ...span(leaf)]).toEqual([false, -1 / 24, 90])
    expect(leaf.subjectAltName).toBe(`DNS:${name}`)
    expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
  }
  // Serial numbers have to be positive and unpredictable.
  const [one, other] = leaves.map(({ serialNumber }) => serialNumber)
  for (const serial of [root.serialNumber, one, other]) expect(serial).toMatch(/^[4-7][0-9A-F]{31}$/)
  expect(one?.slice(2)).not.toBe(other?.slice(2))
  const may = (pem: string) => {
    const certificate = new x509.X509Certificate(pem)
    const { ca, pathLength } = certificate.getExtension(x509.BasicConstraintsExtension) ?? {}
    return { ca, pathLength, usages: certificate.getExtension(x509.KeyUsagesExtension)?.usages }
  }
  const { digitalSignature, keyCertSign, cRLSign } = x509.KeyUsageFlags
  expect(may(chains[0] ?? '')).toEqual({ ca: false, usages: digitalSignature })
  expect(may(root.toString())).toEqual({ ca: true, pathLength: 0, usages: keyCertSign | cRLSign })
})
