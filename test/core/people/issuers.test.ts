import { describe, expect, it } from 'vitest'
import { spellingsOf } from '../../../src/core/people/issuers.js'

describe('the spellings of an issuer', () => {
  it.each([
    ['without a slash at its end', 'https://login.acme.example', 'https://login.acme.example'],
    ['with a slash at its end', 'https://login.acme.example/', 'https://login.acme.example'],
    ['with a path', 'https://login.acme.example/tenant/v2/', 'https://login.acme.example/tenant/v2'],
    ['in upper case, with the default port', 'https://LOGIN.acme.example:443', 'https://login.acme.example'],
    [
      'as the address of its metadata',
      'https://login.acme.example/tenant/.well-known/openid-configuration',
      'https://login.acme.example/tenant',
    ],
  ])('an issuer %s is also found without the slash and with it', (_, issuer, bare) => {
    expect(spellingsOf(issuer)).toEqual([issuer, bare, `${bare}/`])
  })
})
