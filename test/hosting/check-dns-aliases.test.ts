import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDnsCheck } from '../../src/hosting/check-dns.ts'
import { openDns } from '../../src/hosting/dns.ts'
import { type NameServer, startNameServer } from '../../src/practice/name-server.ts'

const target = 'acme.animals.localhost'
const name = 'www.shop.test'
const zone = ['shop.test NS ns1.shop.test', 'ns1.shop.test A 127.0.0.1', `${target} A 93.184.215.10`]

let server: NameServer
beforeAll(async () => {
  server = await startNameServer()
})
afterAll(() => server.stop())

const lookWith = (...lines: string[]) => {
  server.setZone([...zone, ...lines])
  return openDnsCheck(openDns([server]))(name, target)
}
const chain = (length: number) =>
  Array.from({ length }, (_, n) => `${n === 0 ? name : `a${n}.shop.test`} CNAME a${n + 1}.shop.test`)

test.each([
  [10, 'record_differs'],
  [11, 'loop'],
])('a chain of %i aliases gets the verdict %s', async (length, code) => {
  const { verdict, proof } = await lookWith(...chain(length))

  const first = { type: 'CNAME', name, value: 'a1.shop.test' }
  expect(verdict).toMatchObject({ code, found: [first], inTheWay: first })
  expect(proof.namesTarget).toBe(false)
})

test('a wrong CNAME is reported with its actual and its expected value, even if the actual target cannot be resolved', async () => {
  const broken = await startNameServer([...zone, `${name} CNAME gone.elsewhere.test`])
  onTestFinished(() => broken.stop())
  broken.misbehave('elsewhere.test', 'SERVFAIL')

  expect(await openDnsCheck(openDns([broken]))(name, target)).toMatchObject({
    verdict: {
      code: 'record_differs',
      message: `${name} points at gone.elsewhere.test; it has to be exactly ${target}.`,
    },
    proof: { namesTarget: false },
  })
})

test('an address record at the name for the CNAME is reported as the record to delete', async () => {
  expect(await lookWith(`${name} A 93.184.216.7`)).toMatchObject({
    verdict: {
      message: `The record "${name} A 93.184.216.7" conflicts with the CNAME. Delete it, then create the CNAME.`,
      expected: [target],
    },
  })
})

test('if a name has the address of a proxy instead of a CNAME, the verdict reports that address as the conflicting record', async () => {
  expect(await lookWith(`${name} A 104.16.1.2`)).toMatchObject({
    verdict: { code: 'proxied', inTheWay: { type: 'A', name, value: '104.16.1.2' } },
  })
})

test('a DNS record that answers several queries is listed once in the verdict', async () => {
  const { verdict } = await lookWith(`${name} CNAME other.example`)

  expect(verdict.found).toEqual([{ type: 'CNAME', name, value: 'other.example' }])
})

test('all ownership tokens of a name are read, even if it has many TXT records', async () => {
  const tokens = Array.from({ length: 61 }, (_, n) => `token-${n}`)

  const { proof } = await lookWith(...tokens.map(token => `_animal-store.${name} TXT ${token}`))

  expect(proof.tokens).toEqual(tokens)
})

test('for a name without a record, the message says how long a new record takes to appear', async () => {
  expect((await lookWith()).verdict).toMatchObject({
    code: 'record_missing',
    message: `${name} has no CNAME record yet. New records can take up to 48 hours to show.`,
  })
  server.setZone(zone)
  expect((await openDnsCheck(openDns([server]))('shop.test', target)).verdict).toMatchObject({
    code: 'record_missing',
    message: 'shop.test has no ALIAS or ANAME record yet. New records can take up to 48 hours to show.',
  })
})
