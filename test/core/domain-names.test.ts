import { describe, expect, test } from 'vitest'
import { partnerName, readDomainName, recordToCreate } from '../../src/core/domain-names.ts'

const platform = 'animals.localhost'
const read = (text: string) => readDomainName(text, platform)

describe('any spelling of a domain is stored as one', () => {
  test.each([
    ['Shop.Example.COM', 'shop.example.com'],
    ['shop.example.com.', 'shop.example.com'],
    ['  shop.example.com\n', 'shop.example.com'],
    ['https://shop.example.com/pets?limit=1#top', 'shop.example.com'],
    ['HTTP://shop.example.com:8080', 'shop.example.com'],
    ['shop.example.com/', 'shop.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['shop。example。com', 'shop.example.com'],
    ['ｓｈｏｐ.example.com', 'shop.example.com'],
    ['example.co.uk', 'example.co.uk'],
  ])('%j', (text, name) => {
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
    ['acme.animals.localhost', 'platform'],
    ['a.b.Animals.Localhost.', 'platform'],
    ['my_shop.example.com', 'underscore'],
    ['-shop.example.com', 'hyphens'],
    ['a..example.com', 'empty part'],
    [`${'a'.repeat(64)}.example.com`, '63'],
    [`${'a.'.repeat(125)}example.com`, '253'],
    ['shop example.com', 'spaces'],
    ['shop.exam\0ple.com', 'control'],
    ['user:secret@example.com', 'user name'],
    ['ftp://example.com', 'not a domain'],
    ['xn--a.example', 'not a domain'],
    ['', 'empty'],
  ])('%j', (text, reason) => {
    expect(() => read(text)).toThrow(reason)
  })
})

test('a subdomain needs a CNAME under its label, an apex an ALIAS or ANAME', () => {
  const target = 'acme.animals.localhost'

  expect(recordToCreate('shop.eu.example.co.uk', target)).toEqual({
    type: 'CNAME',
    alternativeType: null,
    name: 'shop.eu',
    value: target,
    ttl: 3600,
  })
  expect(recordToCreate('example.co.uk', target)).toEqual({
    type: 'ALIAS',
    alternativeType: 'ANAME',
    name: '@',
    value: target,
    ttl: 3600,
  })
})

test('www and the apex are partners, other subdomains have none', () => {
  expect(partnerName('example.com')).toBe('www.example.com')
  expect(partnerName('www.example.com')).toBe('example.com')
  expect(partnerName('shop.example.com')).toBeNull()
})
