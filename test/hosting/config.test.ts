import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'

const key = Buffer.alloc(32, 1)

describe('the setting DNS_SERVERS', () => {
  test('DNS_SERVERS accepts IPv4 and IPv6 addresses with and without ports', () => {
    const servers = readConfig({ DNS_SERVERS: '192.0.2.53, 127.0.0.1:5353,[::1]:5353,2001:db8::53' }).hosting
      .dnsServers

    expect(servers).toEqual([
      { address: '192.0.2.53', port: 53 },
      { address: '127.0.0.1', port: 5353 },
      { address: '::1', port: 5353 },
      { address: '2001:db8::53', port: 53 },
    ])
  })

  test.each([
    'dns.example.com',
    '127.0.0.1:',
    '300.1.1.1',
    '[::1',
    ',',
    '1.1.1.1:65536',
    '1.1.1.1:0',
    '[::1]:99999',
  ])('DNS_SERVERS rejects %j', text => {
    expect(() => readConfig({ DNS_SERVERS: text })).toThrow('DNS_SERVERS must be addresses')
  })
})

describe('the setting SECRETS_KEY', () => {
  test('SECRETS_KEY accepts 32 bytes in base64 or hexadecimal, and also a new key followed by the old key', () => {
    const keys = readConfig({ SECRETS_KEY: `${key.toString('hex')},${key.toString('base64')}` }).hosting
      .secretsKeys

    expect(keys).toEqual([key, key])
  })

  test.each(['short', 'A'.repeat(42), `${'0'.repeat(63)}g`, `!!!!${'A'.repeat(43)}`, `${'A'.repeat(43)}==`])(
    'SECRETS_KEY rejects %j',
    text => {
      expect(() => readConfig({ SECRETS_KEY: text })).toThrow('SECRETS_KEY must be 32 random bytes')
    },
  )

  test.each([{ ACME_DIRECTORY_URL: 'https://ca.test/dir' }, { HTTPS_PORT: '4443' }])(
    'SECRETS_KEY is required if DATABASE_URL and a setting for certificates are given: %j',
    given => {
      const env = { DATABASE_URL: 'postgresql://db/x', ...given }

      expect(() => readConfig(env)).toThrow('SECRETS_KEY is needed')
      expect(readConfig({ ...env, SECRETS_KEY: key.toString('base64') }).databaseUrl).toBe(env.DATABASE_URL)
    },
  )
})
