import { describe, expect, test } from 'vitest'
import {
  addressRecords,
  isApex,
  ownershipRecord,
  partnerName,
  readableName,
  readDomainName,
  recordToCreate,
} from '../../../src/core/hosts/names.ts'

const rules = {
  platformHost: 'animals.localhost',
  ownHosts: ['api.zoo.co.uk', 'staging.biscuit.dev'],
  suffixes: ['example', 'corp.internal'],
}
const read = (text: string) => readDomainName(text, rules)

describe('any spelling of a domain is stored in one canonical form', () => {
  test.each([
    ['Shop.Biscuit.COM', 'shop.biscuit.com'],
    ['shop.biscuit.com.', 'shop.biscuit.com'],
    ['  shop.biscuit.com\n', 'shop.biscuit.com'],
    ['https://shop.biscuit.com/pets?limit=1#top', 'shop.biscuit.com'],
    ['HTTP://shop.biscuit.com:8080', 'shop.biscuit.com'],
    ['shop.biscuit.com/', 'shop.biscuit.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['shop。biscuit。com', 'shop.biscuit.com'],
    ['ｓｈｏｐ.biscuit.com', 'shop.biscuit.com'],
    ['biscuit.co.uk', 'biscuit.co.uk'],
    // These names are allowed, because they only end with the same letters as a refused name.
    ['myexample.com', 'myexample.com'],
    ['myexample.net', 'myexample.net'],
    ['animals-localhost.example', 'animals-localhost.example'],
    ['myapi.zoo.co.uk', 'myapi.zoo.co.uk'],
    [`${'a'.repeat(63)}.biscuit.com`, `${'a'.repeat(63)}.biscuit.com`],
    [`${'a.'.repeat(114)}biscuit.com`, `${'a.'.repeat(114)}biscuit.com`],
  ])('the domain name %j is stored in its canonical form', (text, name) => {
    expect(read(text)).toBe(name)
  })
})

describe('what cannot be a domain of a project is refused with the reason', () => {
  test.each([
    ['192.0.2.1', 'is an IP address'],
    ['0x7f.1', 'is an IP address'],
    ['2130706433', 'is an IP address'],
    ['[::1]', 'is an IP address'],
    ['https://[2001:db8::1]/', 'is an IP address'],
    ['*.example.com', 'wildcard'],
    ['localhost', 'single word'],
    ['com', 'single word'],
    ['co.uk', 'public suffix'],
    ['github.io', 'public suffix'],
    ['animals.localhost', 'platform'],
    ['api.zoo.co.uk', "platform's own"],
    ['www.api.zoo.co.uk', "platform's own"],
    ['zoo.co.uk', 'registered'],
    ['staging.biscuit.dev', "platform's own"],
    ['biscuit.dev', 'registered'],
    ['redis.default.svc.cluster.local', 'public DNS'],
    ['db.corp', 'public DNS'],
    ['shop.test', 'public DNS'],
    ['shop.internal', 'public DNS'],
    ['hidden.onion', 'special use'],
    ['www.example.com', 'special use'],
    ['example.org', 'special use'],
    ['example.net', 'special use'],
    ['deep.www.example.net', 'special use'],
    ['shop.notexample', 'public DNS'],
    ['1.168.192.in-addr.arpa', 'special use'],
    ['router.home.arpa', 'special use'],
    ['acme.animals.localhost', 'platform'],
    ['a.b.Animals.Localhost.', 'platform'],
    ['my_shop.example.com', 'underscore'],
    ['-shop.example.com', 'hyphens'],
    ['a..example.com', 'empty part'],
    [`${'a'.repeat(64)}.example.com`, '63'],
    [`${'a.'.repeat(125)}example.com`, '253'],
    [`aa.${'a.'.repeat(120)}biscuit.com`, '253'],
    ['shop.biscuit.com\\evil', 'spaces or control'],
    [':secret@biscuit.com', 'user name'],
    ['user@biscuit.com', 'user name'],
    ['xn--0.biscuit.com', 'Punycode'],
    ['shop.example.com-', 'hyphens'],
    ['', 'is empty'],
    [' \t ', 'is empty'],
    ['shop example.com', 'spaces'],
    ['shop.exam\0ple.com', 'control'],
    ['user:secret@example.com', 'user name'],
    ['ftp://example.com', 'not a domain'],
    ['xn--a.example', 'not a domain'],
    ['', 'empty'],
  ])('%j is refused as a domain, with the reason', (text, reason) => {
    expect(() => read(text)).toThrow(reason)
  })
})

test.each([
  ['under a suffix that the operator has allowed', 'shop.corp.internal'],
  ["beside the operator's own hosts, in the same registered domain", 'shop.zoo.co.uk'],
  ['under a public suffix of a company, such as github.io', 'biscuit.github.io'],
])('a project may add a domain name %s', (_, name) => {
  expect(read(name)).toBe(name)
})

test('a subdomain needs a CNAME record at its label, and an apex needs an ALIAS or ANAME record', () => {
  const target = 'acme.animals.localhost'

  expect(recordToCreate('shop.eu.example.co.uk', null, target)).toEqual({
    type: 'CNAME',
    alternativeType: null,
    name: 'shop.eu',
    value: target,
    ttl: 3600,
    zoneLine: 'shop.eu.example.co.uk. 3600 IN CNAME acme.animals.localhost.',
  })
  expect(recordToCreate('example.co.uk', null, target)).toEqual({
    type: 'ALIAS',
    alternativeType: 'ANAME',
    name: '@',
    value: target,
    ttl: 3600,
    zoneLine: 'example.co.uk. 3600 IN ALIAS acme.animals.localhost.',
  })
})

test('ownership of a domain is proven by a TXT record at _animal-store below the domain name', () => {
  const token = '6f0e'

  expect(ownershipRecord('example.co.uk', null, token)).toMatchObject({
    type: 'TXT',
    name: '_animal-store',
    value: token,
    zoneLine: '_animal-store.example.co.uk. 3600 IN TXT "6f0e"',
  })
  expect(ownershipRecord('www.example.co.uk', null, token).name).toBe('_animal-store.www')
})

test('any domain name may have A and AAAA records of the platform instead of a CNAME or ALIAS', () => {
  const addresses = ['93.184.215.10', '2606:2800::10']

  expect(addressRecords('example.co.uk', null, addresses).map(record => record.zoneLine)).toEqual([
    'example.co.uk. 3600 IN A 93.184.215.10',
    'example.co.uk. 3600 IN AAAA 2606:2800::10',
  ])
  expect(addressRecords('www.example.co.uk', null, addresses).map(({ name }) => name)).toEqual(['www', 'www'])
})

test('a name at the top of a zone is an apex, and record names are relative to their zone', () => {
  const team = 'team.example.co.uk'
  const target = 'acme.animals.localhost'

  expect(isApex(team, team)).toBe(true)
  expect(recordToCreate(team, team, target)).toMatchObject({ type: 'ALIAS', name: '@' })
  expect(recordToCreate(`www.${team}`, team, target)).toMatchObject({ type: 'CNAME', name: 'www' })
  expect(addressRecords(`www.${team}`, team, ['93.184.215.10'])).toMatchObject([{ type: 'A', name: 'www' }])
  expect(ownershipRecord(team, team, 't').name).toBe('_animal-store')
  expect(ownershipRecord(`www.${team}`, team, 't').name).toBe('_animal-store.www')
})

test('a registered name without a zone of its own is no apex', () => {
  expect(isApex('biscuit.github.io', 'github.io')).toBe(false)
  expect(recordToCreate('biscuit.github.io', 'github.io', 'acme.animals.localhost')).toMatchObject({
    ...{ type: 'CNAME', name: 'biscuit' },
  })
})

test('a domain name of more than 239 characters is refused, because the name of its TXT record would be too long', () => {
  const labels = 'a.'.repeat(112)

  expect(read(`abcd.${labels}biscuit.co`)).toHaveLength(239)
  expect(() => read(`abcd.${labels}biscuit.com`)).toThrow('longer than 239 characters')
})

test('an apex and its www name are each the partner name of the other name, and other subdomains have no partner name', () => {
  expect(partnerName('example.com')).toBe('www.example.com')
  expect(partnerName('www.example.com')).toBe('example.com')
  expect(partnerName('shop.example.com')).toBeNull()
})

test('a name such as www.shop.example.com, with www in front of a subdomain, has no partner name', () => {
  expect(partnerName('www.shop.example.com')).toBeNull()
  expect(partnerName('www.com')).toBe('www.www.com')
})

test('a name directly under a private public suffix such as github.io is an apex', () => {
  expect(isApex('biscuit.github.io', null)).toBe(true)
  expect(isApex('www.biscuit.github.io', null)).toBe(false)
  expect(partnerName('biscuit.github.io')).toBe('www.biscuit.github.io')
  expect(ownershipRecord('shop.biscuit.github.io', null, 't').name).toBe('_animal-store.shop')
})

test('a public suffix that the operator allows may be used by projects, even if the service itself is below it', () => {
  const local = {
    platformHost: 'animals.localhost',
    ownHosts: ['localhost', 'api.corp'],
    suffixes: ['localhost', 'corp'],
  }

  expect(readDomainName('shop.localhost', local)).toBe('shop.localhost')
  expect(readDomainName('shop.corp', local)).toBe('shop.corp')
  expect(() => readDomainName('www.api.corp', local)).toThrow("platform's own names")
  expect(() => readDomainName('shop.animals.localhost', local)).toThrow('is below animals.localhost')
})

test('the registered domain of the platform host is refused, but another subdomain of the registered domain may be added', () => {
  const rented = { platformHost: 'hosts.biscuit.co.uk', ownHosts: [], suffixes: [] }

  expect(() => readDomainName('biscuit.co.uk', rented)).toThrow('are registered')
  expect(() => readDomainName('acme.hosts.biscuit.co.uk', rented)).toThrow('is below hosts.biscuit.co.uk')
  expect(readDomainName('shop.biscuit.co.uk', rented)).toBe('shop.biscuit.co.uk')
})

test('a domain name is shown in Unicode', () => {
  expect(readableName('xn--bcher-kva.example')).toBe('bücher.example')
  expect(readableName('shop.example')).toBe('shop.example')
})
