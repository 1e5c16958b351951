import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openDnsCheck } from '../../src/hosting/check-dns.ts'
import { openDns } from '../../src/hosting/dns.ts'
import { type NameServer, startNameServer } from '../../src/practice/name-server.ts'

const target = 'acme.animals.localhost'
const apex = 'shop.test'
const zone = ['shop.test NS ns1.shop.test', 'ns1.shop.test A 127.0.0.1']
const platform = [`${target} A 93.184.215.10`, `${target} AAAA 2606:2800::10`]

let server: NameServer
beforeAll(async () => {
  server = await startNameServer()
})
beforeEach(() => server.setZone([...zone, ...platform]))
afterAll(() => server.stop())

const lookWith = (lines: string[], promised: string[] = [], ofPlatform = platform) => {
  server.setZone([...zone, ...ofPlatform, ...lines])
  return openDnsCheck(openDns([server]), promised)(apex, target)
}
const cname = (value: string) => ({ type: 'CNAME', name: apex, value })

describe('an apex with a CNAME, which some providers allow', () => {
  test('an apex with a CNAME to the target is right and proves the ownership', async () => {
    expect(await lookWith([`${apex} CNAME ${target}`])).toMatchObject({
      verdict: { code: null, found: [cname(target)], inTheWay: null },
      proof: { namesTarget: true },
    })
  })

  test.each([
    ['without promised addresses', []],
    ['with promised addresses', ['93.184.217.1']],
  ])(
    'an apex with a CNAME to another name is wrong and does not prove the ownership, %s',
    async (_, promised) => {
      const other = ['other.example A 93.184.215.10', 'other.example AAAA 2606:2800::10']
      const { verdict, proof } = await lookWith([`${apex} CNAME other.example`, ...other], promised)

      const found = cname('other.example')
      expect(verdict).toMatchObject({ code: 'apex_differs', found: [found], inTheWay: found })
      expect(proof.namesTarget).toBe(false)
    },
  )

  test('an apex whose CNAME leads back to it is reported as a loop', async () => {
    const { verdict } = await lookWith([`${apex} CNAME a.shop.test`, `a.shop.test CNAME ${apex}`])

    expect(verdict).toMatchObject({ code: 'loop', inTheWay: cname('a.shop.test') })
  })

  test('an apex with several CNAMEs is reported with their number, even if one is right', async () => {
    const lines = ['other.example', 'more.example', target].map(value => `${apex} CNAME ${value}`)

    expect(await lookWith(lines)).toMatchObject({
      verdict: { code: 'several_cnames', message: expect.stringContaining('has 3 CNAME records') },
      proof: { namesTarget: false },
    })
  })
})

describe('the expected values of an apex', () => {
  test('the expected values of an apex are the addresses of the platform host in a fixed order, at most five', async () => {
    const many = ['9', '3', '7', '1', '5', '2', '8'].map(last => `${target} A 93.184.215.${last}`)

    const { verdict } = await lookWith(['shop.test A 93.184.216.7'], [], many)

    expect(verdict).toMatchObject({
      code: 'apex_differs',
      found: [{ type: 'A', name: apex, value: '93.184.216.7' }],
      expected: ['1', '2', '3', '5', '7'].map(last => `93.184.215.${last}`),
    })
  })

  test('the expected values of an apex do not reveal addresses of a private network', async () => {
    const inside = [`${target} A 10.0.0.1`, `${target} A 10.0.0.2`]

    expect(await lookWith(['shop.test A 93.184.216.7'], [], inside)).toMatchObject({
      verdict: { expected: ['an address that is not public'] },
    })
  })

  test.each([
    [1, null, '93.184.215.10'],
    [10, null, '93.184.215.10'],
    [11, 'dns_unreachable', target],
  ])('the platform host of an apex is resolved through %i aliases: %s', async (count, code, expected) => {
    const aliases = Array.from({ length: count }, (_, n) =>
      n === 0 ? `${target} CNAME lb1.edge.test` : `lb${n}.edge.test CNAME lb${n + 1}.edge.test`,
    )
    // Return the whole chain of aliases in one answer, without asking the test's name server, because a name server may
    // follow fewer aliases than this test needs.
    const dns = openDns([server])
    const startLookup: typeof dns.startLookup = deadline => {
      const lookup = dns.startLookup(deadline)
      const resolve: typeof lookup.resolve = async (name, type) =>
        name === target && (type === 'A' || type === 'AAAA')
          ? {
              reached: true,
              records: [
                { name: 'lb1.other.test', type, value: '93.184.1.1' },
                ...aliases.map(line => {
                  const [name = '', , value = ''] = line.split(' ')
                  return { name, type: 'CNAME', value }
                }),
                { name: `lb${count}.edge.test`, type: 'A', value: '93.184.215.10' },
              ],
            }
          : lookup.resolve(name, type)
      return { ...lookup, resolve }
    }
    server.setZone([...zone, 'shop.test A 93.184.215.10'])

    expect(await openDnsCheck({ startLookup })(apex, target)).toMatchObject({
      verdict: { code, expected: [expected] },
    })
  })
})

describe('the conflicting address of an apex', () => {
  test.each([
    ['the platform host has', ['93.184.215.10', '93.184.216.7']],
    ['are promised', ['93.184.217.1', '93.184.216.7']],
  ])(
    'beside a right address, only the wrong address of an apex is reported as conflicting: right are the addresses that %s',
    async (_, addresses) => {
      const lines = addresses.map(address => `${apex} A ${address}`)

      expect(await lookWith(lines, ['93.184.217.1', '93.184.217.2'])).toMatchObject({
        verdict: { code: 'apex_differs', inTheWay: { type: 'A', name: apex, value: '93.184.216.7' } },
      })
    },
  )

  test('if an apex has the address of a proxy, the verdict reports that address as the conflicting record', async () => {
    expect(await lookWith([`${apex} A 104.16.1.2`])).toMatchObject({
      verdict: { code: 'proxied', inTheWay: { type: 'A', name: apex, value: '104.16.1.2' } },
    })
  })
})

test('a failed lookup of the apex or of the platform host is reported with the name whose lookup failed', async () => {
  const broken = await startNameServer([...zone, ...platform, `${apex} A 93.184.215.10`])
  onTestFinished(() => broken.stop())
  broken.misbehave(target, 'SERVFAIL')
  const look = openDnsCheck(openDns([broken]))

  expect(await look(apex, target)).toMatchObject({
    verdict: {
      code: 'dns_unreachable',
      message: expect.stringContaining(`lookup for ${target} failed: the resolver answered SERVFAIL`),
      ...{ found: [], expected: [target], inTheWay: null },
    },
    proof: { namesTarget: false },
  })
  broken.misbehave(apex, 'REFUSED')
  expect(await look(apex, target)).toMatchObject({
    verdict: {
      message: expect.stringContaining(`lookup for ${apex} failed: `),
      expected: [target],
    },
  })
})

test('the apex and its token are read at the name servers of the zone', async () => {
  const records = [`${apex} A 93.184.215.10`, '_animal-store.shop.test TXT 6f0e']
  const own = await startNameServer(records, 0, '127.0.0.2')
  onTestFinished(() => own.stop())
  server.setZone([`${target} A 93.184.215.10`, 'shop.test NS ns1.shop.test', 'ns1.shop.test A 127.0.0.2'])

  expect(await openDnsCheck(openDns([server, own]))(apex, target)).toMatchObject({
    verdict: { code: null },
    proof: { tokens: ['6f0e'] },
  })
})
