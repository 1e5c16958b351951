import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CheckDns } from '../../src/core/dns-verdict.ts'
import { openDnsCheck } from '../../src/hosting/check-dns.ts'
import { openDns } from '../../src/hosting/dns.ts'
import { type NameServer, startNameServer } from '../support/dns-server.ts'

const target = 'acme.animals.localhost'
const name = 'www.shop.test'
const zone = ['shop.test NS ns1.shop.test', 'ns1.shop.test A 127.0.0.1']
const platform = [`${target} A 192.0.2.10`, `${target} AAAA 2001:db8::10`]

let server: NameServer
let look: CheckDns

beforeAll(async () => {
  server = await startNameServer()
  look = openDnsCheck(openDns([server]))
})
beforeEach(() => server.setZone([...zone, ...platform]))
afterAll(() => server.stop())

const withRecords = (...lines: string[]) => server.setZone([...zone, ...platform, ...lines])

describe('a subdomain', () => {
  test('is right when its CNAME is exactly the target', async () => {
    withRecords(`${name} CNAME ${target}`)

    expect(await look(name, target)).toMatchObject({
      code: null,
      found: [{ type: 'CNAME', name, value: target }],
      inTheWay: null,
    })
  })

  test('is right in whatever case the zone writes the target', async () => {
    withRecords(`${name} CNAME ACME.Animals.Localhost`)

    expect(await look(name, target)).toMatchObject({ code: null })
  })

  test('without a record is told which one is expected', async () => {
    expect(await look(name, target)).toMatchObject({
      code: 'record_missing',
      found: [],
      expected: [target],
    })
  })

  test('in a zone that does not exist has no record', async () => {
    server.setZone(platform)

    expect(await look(name, target)).toMatchObject({ code: 'record_missing' })
  })

  test('that points elsewhere is shown the record in the way', async () => {
    withRecords(`${name} CNAME other.example`)

    expect(await look(name, target)).toMatchObject({
      code: 'record_differs',
      found: [{ type: 'CNAME', name, value: 'other.example' }],
      inTheWay: { type: 'CNAME', name, value: 'other.example' },
    })
  })

  test('that reaches the target through another alias differs: the value must match exactly', async () => {
    withRecords(`${name} CNAME alias.shop.test`, `alias.shop.test CNAME ${target}`)

    expect(await look(name, target)).toMatchObject({ code: 'record_differs' })
  })

  test.each(['A 198.51.100.7', 'AAAA 2001:db8::7'])(
    'with an address record (%s) is blocked by it',
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
    ['a circle', [`${name} CNAME a.shop.test`, 'a.shop.test CNAME b.shop.test', `b.shop.test CNAME ${name}`]],
    [
      'a circle further on',
      [`${name} CNAME a.shop.test`, 'a.shop.test CNAME b.shop.test', 'b.shop.test CNAME a.shop.test'],
    ],
  ])('whose CNAME leads to %s is a loop', async (_, lines) => {
    withRecords(...lines)

    expect(await look(name, target)).toMatchObject({ code: 'loop' })
  })
})

describe('an apex', () => {
  const aliased = ['shop.test A 192.0.2.10', 'shop.test AAAA 2001:db8::10']

  test('is right when its addresses equal those of the target', async () => {
    withRecords(...aliased)

    expect(await look('shop.test', target)).toMatchObject({ code: null })
  })

  test.each([
    ['another address', ['shop.test A 198.51.100.7']],
    ['only some of the addresses', ['shop.test A 192.0.2.10']],
    ['one address too many', [...aliased, 'shop.test A 198.51.100.7']],
  ])('with %s differs', async (_, lines) => {
    withRecords(...lines)

    expect(await look('shop.test', target)).toMatchObject({ code: 'apex_differs' })
  })

  test('without any address has no record yet', async () => {
    expect(await look('shop.test', target)).toMatchObject({ code: 'record_missing' })
  })

  test('whose target has no address cannot be judged', async () => {
    server.setZone([...zone, ...aliased])

    expect(await look('shop.test', target)).toMatchObject({ code: 'dns_unreachable' })
  })
})

describe("the zone's own name servers are asked", () => {
  test('so a stale "no" of a resolver is not believed', async () => {
    const own = await startNameServer([`${name} CNAME ${target}`], 0, '127.0.0.2')
    server.setZone([...platform, 'shop.test NS ns1.shop.test', 'ns1.shop.test A 127.0.0.2'])

    const verdict = await openDnsCheck(openDns([server, own]))(name, target)

    expect(verdict).toMatchObject({ code: null })
    await own.stop()
  })
})

describe('DNS that cannot be asked is no verdict, and is said within five seconds', () => {
  test.each(['SERVFAIL', 'REFUSED', 'FORMERR', 'silence'])('%s', async how => {
    const broken = await startNameServer([...zone, ...platform, `${name} CNAME ${target}`])
    broken.misbehave('shop.test', how)
    const started = performance.now()

    const verdict = await openDnsCheck(openDns([broken, broken, broken, broken, broken]))(name, target)

    expect(verdict).toMatchObject({ code: 'dns_unreachable' })
    expect(performance.now() - started).toBeLessThan(5_000)
    await broken.stop()
  })

  test('a port where nothing listens', async () => {
    const gone = await startNameServer()
    await gone.stop()

    expect(await openDnsCheck(openDns([gone]))(name, target)).toMatchObject({ code: 'dns_unreachable' })
  })
})

test('a thousand records are judged like one, and five of them shown', async () => {
  const many = Array.from({ length: 1_000 }, (_, n) => `${name} A 198.18.${n >> 8}.${n & 255}`)
  withRecords(...many)

  const verdict = await look(name, target)

  expect(verdict.code).toBe('address_record_conflict')
  expect(verdict.found).toHaveLength(5)
})
