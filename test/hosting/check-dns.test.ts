import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DnsVerdict } from '../../src/core/hosts/dns-verdict.ts'
import { openDnsCheck } from '../../src/hosting/check-dns.ts'
import { openDns } from '../../src/hosting/dns.ts'
import { type NameServer, startNameServer } from '../../src/practice/name-server.ts'
import { watchStalls } from '../support/stalls.ts'

const target = 'acme.animals.localhost'
const name = 'www.shop.test'
const zone = ['shop.test NS ns1.shop.test', 'ns1.shop.test A 127.0.0.1']
const platform = [`${target} A 93.184.215.10`, `${target} AAAA 2606:2800::10`]

let server: NameServer
let look: (name: string, target: string, addresses?: string[]) => Promise<DnsVerdict>

beforeAll(async () => {
  server = await startNameServer()
  look = async (name, target, addresses) =>
    (await openDnsCheck(openDns([server]), addresses)(name, target)).verdict
})
beforeEach(() => server.setZone([...zone, ...platform]))
afterAll(() => server.stop())

const withRecords = (...lines: string[]) => server.setZone([...zone, ...platform, ...lines])

describe('subdomains', () => {
  test('a subdomain is right if its CNAME is exactly the target', async () => {
    withRecords(`${name} CNAME ${target}`)

    expect(await look(name, target)).toMatchObject({
      code: null,
      found: [{ type: 'CNAME', name, value: target }],
      inTheWay: null,
    })
  })

  test('a subdomain is right in whatever case the zone writes the target', async () => {
    withRecords(`${name} CNAME ACME.Animals.Localhost`)

    expect(await look(name, target)).toMatchObject({ code: null })
  })

  test('if a subdomain has no record, the verdict reports a missing record and the target that the CNAME must have', async () => {
    expect(await look(name, target)).toMatchObject({
      code: 'record_missing',
      found: [],
      expected: [target],
    })
  })

  test('a subdomain of a zone that does not exist has no record', async () => {
    server.setZone(platform)

    expect(await look(name, target)).toMatchObject({ code: 'record_missing' })
  })

  test('if the CNAME of a subdomain points to a wrong name, the verdict reports this CNAME as the conflicting record', async () => {
    withRecords(`${name} CNAME other.example`)

    expect(await look(name, target)).toMatchObject({
      code: 'record_differs',
      found: [{ type: 'CNAME', name, value: 'other.example' }],
      inTheWay: { type: 'CNAME', name, value: 'other.example' },
    })
  })

  test('a subdomain that reaches the target through another alias is wrong: the value must match exactly', async () => {
    withRecords(`${name} CNAME alias.shop.test`, `alias.shop.test CNAME ${target}`)

    expect(await look(name, target)).toMatchObject({ code: 'record_differs' })
  })

  test.each(['A 93.184.216.7', 'AAAA 2606:2800::7'])(
    'an address record (%s) at a subdomain is reported as the conflicting record',
    async record => {
      withRecords(`${name} ${record}`)

      expect(await look(name, target)).toMatchObject({
        code: 'address_record_conflict',
        inTheWay: { type: record.split(' ')[0], name, value: record.split(' ')[1] },
      })
    },
  )

  test.each([
    ['itself', [`${name} CNAME ${name}`]],
    [
      'a circle of CNAMEs through itself',
      [`${name} CNAME a.shop.test`, 'a.shop.test CNAME b.shop.test', `b.shop.test CNAME ${name}`],
    ],
    [
      'a circle of other CNAMEs',
      [`${name} CNAME a.shop.test`, 'a.shop.test CNAME b.shop.test', 'b.shop.test CNAME a.shop.test'],
    ],
  ])('a subdomain whose CNAME leads to %s is reported as a loop', async (_, lines) => {
    withRecords(...lines)

    expect(await look(name, target)).toMatchObject({ code: 'loop' })
  })
})

describe('apexes', () => {
  const aliased = ['shop.test A 93.184.215.10', 'shop.test AAAA 2606:2800::10']

  test('an apex is right if its addresses equal those of the target', async () => {
    withRecords(...aliased)

    expect(await look('shop.test', target)).toMatchObject({ code: null })
  })

  test.each([
    ['another address', ['shop.test A 93.184.216.7']],
    ['only some of the addresses', ['shop.test A 93.184.215.10']],
    ['one address too many', [...aliased, 'shop.test A 93.184.216.7']],
  ])('an apex with %s is wrong', async (_, lines) => {
    withRecords(...lines)

    expect(await look('shop.test', target)).toMatchObject({ code: 'apex_differs' })
  })

  test('the verdict on an apex without an address reports a missing record, and lists any addresses that the operator promises to keep', async () => {
    const standIn = 'nor the addresses 93.184.215.10'

    const verdict = await look('shop.test', target)
    const ofPromised = await look('shop.test', target, ['93.184.215.10'])

    expect(verdict).toMatchObject({ code: 'record_missing', message: expect.not.stringContaining(standIn) })
    expect(ofPromised).toMatchObject({
      code: 'record_missing',
      message: expect.stringContaining(standIn),
    })
  })

  test('an apex whose target has no address gets no verdict', async () => {
    server.setZone([...zone, ...aliased])

    expect(await look('shop.test', target)).toMatchObject({ code: 'dns_unreachable' })
  })
})

describe('an apex at a DNS provider without ALIAS records', () => {
  const promised = ['93.184.217.1', '2606:2800:1::1']
  const records = ['shop.test A 93.184.217.1', 'shop.test AAAA 2606:2800:1::1']

  test('an apex is right with the addresses that the operator promises to keep', async () => {
    withRecords(...records)

    expect(await look('shop.test', target, promised)).toMatchObject({ code: null })
    expect(await look('shop.test', target)).toMatchObject({ code: 'apex_differs' })
  })

  test.each([
    ['only some of the promised addresses', records.slice(0, 1), null],
    ['one address beside the promised ones', [...records, 'shop.test A 93.184.216.7'], '93.184.216.7'],
  ])('an apex is wrong with %s', async (_, lines, inTheWay) => {
    withRecords(...lines)

    const verdict = await look('shop.test', target, promised)

    expect(verdict).toMatchObject({ code: 'apex_differs', message: expect.stringContaining('93.184.217.1') })
    expect(verdict.inTheWay?.value ?? null).toBe(inTheWay)
  })
})

describe('the details of a verdict', () => {
  test.each([
    ['www.shop.test', 'A 104.16.1.2', 'Cloudflare'],
    ['www.shop.test', 'AAAA 2606:4700::1', 'Cloudflare'],
    ['shop.test', 'A 172.67.1.2', 'Cloudflare'],
    ['shop.test', 'A 151.101.1.2', 'Fastly'],
  ])('the record "%s %s" is recognised as the proxy of %s', async (owner, record, proxy) => {
    withRecords(`${owner} ${record}`)

    expect(await look(owner, target)).toMatchObject({
      code: 'proxied',
      message: expect.stringContaining(proxy),
    })
  })

  test('an address beside the addresses of a proxy is still reported as a conflict', async () => {
    withRecords(`${name} A 93.184.216.7`, `${name} A 104.16.1.2`)

    expect(await look(name, target)).toMatchObject({ code: 'address_record_conflict' })
  })

  test('the verdict names the provider of the name servers and where the records are edited', async () => {
    withRecords('shop.test NS ns2.shop.test', 'biscuit.test NS amy.ns.cloudflare.com')

    expect(await look('www.biscuit.test', target)).toMatchObject({
      provider: { name: 'Cloudflare', url: expect.stringMatching(/^https:/) },
    })
    expect(await look(name, target)).toMatchObject({ provider: null })
  })

  test('the verdict does not show private addresses', async () => {
    for (const [owner, address] of [
      [name, '10.0.0.7'],
      ['shop.test', '192.168.1.9'],
      ['shop.test', 'fd00::9'],
    ]) {
      withRecords(`${owner} ${address?.includes(':') ? 'AAAA' : 'A'} ${address}`)

      const verdict = await look(String(owner), target)

      expect(JSON.stringify(verdict)).not.toContain(address)
      expect(verdict.found).toMatchObject([{ value: 'an address that is not public' }])
    }
  })
})

describe('a name with two CNAMEs', () => {
  test.each(['www.shop.test', 'shop.test'])(
    'if %s has two CNAMEs, the verdict reports the CNAME that does not name the target as the conflicting record',
    async owner => {
      withRecords(`${owner} CNAME ${target}`, `${owner} CNAME other.example`)

      expect(await look(owner, target)).toMatchObject({
        code: 'several_cnames',
        inTheWay: { type: 'CNAME', name: owner, value: 'other.example' },
      })
    },
  )
})

describe('proofs of ownership', () => {
  const proof = async (owner: string) => (await openDnsCheck(openDns([server]))(owner, target)).proof

  test('tokens are read from TXT records with and without quotes', async () => {
    withRecords('_animal-store.shop.test TXT "6F0E"', '_animal-store.shop.test TXT 77aa')

    expect((await proof('shop.test')).tokens).toEqual(['6f0e', '77aa'])
  })

  test('tokens and no other texts are read from TXT records at the target of a CNAME, and a loop of CNAMEs yields no token', async () => {
    const token = '019ab2f0-5d1c-4c3a-9d2e-6f0e77aa12bc'
    const alias = '_animal-store.shop.test CNAME token.other.test'
    withRecords(alias, `token.other.test TXT ${token}`, 'token.other.test TXT internal')
    expect((await proof('shop.test')).tokens).toEqual([token])

    withRecords('_animal-store.shop.test CNAME b.shop.test', 'b.shop.test CNAME _animal-store.shop.test')
    expect((await proof('shop.test')).tokens).toEqual([])
  })

  test('ownership is proven by a CNAME to the target, and not by addresses', async () => {
    withRecords(`${name} CNAME ${target}`, 'shop.test A 93.184.215.10', 'shop.test AAAA 2606:2800::10')

    expect(await proof(name)).toMatchObject({ namesTarget: true, tokens: [] })
    expect(await proof('shop.test')).toMatchObject({ namesTarget: false, tokens: [] })
  })

  test('tokens are unknown if the lookup of the TXT records fails', async () => {
    const broken = await startNameServer([...zone, ...platform, 'shop.test A 93.184.215.10'])
    broken.misbehave('_animal-store.shop.test', 'SERVFAIL')

    const look = await openDnsCheck(openDns([broken]))('shop.test', target)

    expect(look).toMatchObject({ proof: { tokens: null } })
    await broken.stop()
  })
})

describe('the name servers of a zone', () => {
  test('a record is read from the name servers of its zone, so that a stale "no" of a resolver does not count', async () => {
    const own = await startNameServer([`${name} CNAME ${target}`], 0, '127.0.0.2')
    server.setZone([...platform, 'shop.test NS ns1.shop.test', 'ns1.shop.test A 127.0.0.2'])

    const { verdict } = await openDnsCheck(openDns([server, own]))(name, target)

    expect(verdict).toMatchObject({ code: null })
    await own.stop()
  })

  test('if one name server has the CNAME and another one the addresses of the target, the name needs the TXT record', async () => {
    const alias = await startNameServer([`${name} CNAME ${target}`], 0, '127.0.0.2')
    const addresses = platform.map(line => line.replace(target, name))
    const address = await startNameServer(addresses, 0, '127.0.0.3')
    server.setZone([
      ...platform,
      ...['shop.test NS ns1.shop.test', 'ns1.shop.test A 127.0.0.2'],
      ...['shop.test NS ns2.shop.test', 'ns2.shop.test A 127.0.0.3'],
    ])

    const look = await openDnsCheck(openDns([server, alias, address]))(name, target)

    expect(look).toMatchObject({ verdict: { code: null }, proof: { namesTarget: false, needsToken: true } })
    await Promise.all([alias.stop(), address.stop()])
  })
})

describe('DNS that cannot be reached', () => {
  test.each([
    ['SERVFAIL', 'answered SERVFAIL'],
    ['REFUSED', 'answered REFUSED'],
    ['FORMERR', 'answered FORMERR'],
    ['silence', 'did not answer in time'],
  ])('a name server that answers with %s yields no verdict within five seconds', async (how, why) => {
    const broken = await startNameServer([...zone, ...platform, `${name} CNAME ${target}`])
    broken.misbehave('shop.test', how)
    const stalledMs = watchStalls()
    const started = performance.now()

    const { verdict } = await openDnsCheck(openDns([broken, broken, broken, broken, broken]))(name, target)

    expect(verdict).toMatchObject({ code: 'dns_unreachable', message: expect.stringContaining(why) })
    expect(performance.now() - started - stalledMs()).toBeLessThan(5_000)
    await broken.stop()
  })

  test('a DNS server whose port refuses connections yields no verdict on a name', async () => {
    const gone = await startNameServer()
    await gone.stop()

    expect(await openDnsCheck(openDns([gone]))(name, target)).toMatchObject({
      verdict: {
        code: 'dns_unreachable',
        message: expect.stringContaining('cannot be reached (ECONNREFUSED)'),
      },
      proof: { tokens: null },
    })
  })
})

test('a flood of names with silent name servers does not delay verdicts on other names', async () => {
  const dns = openDns([server])
  withRecords('silent.test NS ns1.shop.test', `${name} CNAME ${target}`)
  server.misbehave('silent.test', 'silence')

  const flood = Array.from({ length: 300 }, (_, n) => openDnsCheck(dns)(`n${n}.silent.test`, target))
  await new Promise(resolve => setTimeout(resolve, 100))
  const { verdict } = await openDnsCheck(dns)(name, target)

  expect(verdict).toMatchObject({ code: null })
  const codes = (await Promise.all(flood)).map(look => look.verdict.code)
  expect(new Set(codes)).toEqual(new Set(['dns_unreachable']))
})

test('a name with two hundred addresses gets one verdict, which shows five of them', async () => {
  const many = Array.from({ length: 200 }, (_, n) => `${name} A 93.184.${n >> 8}.${n & 255}`)
  withRecords(...many)

  const verdict = await look(name, target)

  expect(verdict.code).toBe('address_record_conflict')
  expect(verdict.found).toHaveLength(5)
})
