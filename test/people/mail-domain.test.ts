import { expect, it } from 'vitest'
import { domainOfAddress, parseJoinDomain } from '../../src/core/people/mail-domain.ts'

it.each([
  ['bob@acme.example', 'acme.example'],
  ['bob@ACME.example', 'acme.example'],
  ['bob@bücher.example', 'xn--bcher-kva.example'],
  ['bob@аcme.example', 'xn--cme-5cd.example'],
  ['bob@ａcme.example', null],
  ['bob@acme.example.', null],
  ['bob@acme。example', null],
  ['bob@@acme.example', null],
  ['acme.example', null],
  ['bob@acme.exa\u0000mple', null],
  ['bob@acme\u200b.example', null],
])('the domain of %j is %j', (address, domain) => {
  expect(domainOfAddress(address)).toBe(domain)
  if (domain !== null) expect(parseJoinDomain(domain)).toEqual({ domain })
})
