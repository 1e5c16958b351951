import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { networkOf, shownAddress } from '../../src/http/network.ts'
import { type App, startApp } from '../support/start-app.ts'

describe('networkOf', () => {
  it.each([
    ['an IPv4 address is one network', '192.0.2.1', '192.0.2.1'],
    ['an IPv4-mapped IPv6 address is the network of its IPv4 address', '::ffff:192.0.2.1', '192.0.2.1'],
    ['a /64 of IPv6 is one network', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::9'],
    [
      'a /64 of IPv6 is one network, even if an address in it is shortened',
      '2001:db8::1',
      '2001:db8:0:0:ffff:ffff:ffff:ffff',
    ],
    [
      'a /64 of IPv6 is one network, even if the end of an address is shortened',
      '2001:db8:1:2::',
      '2001:db8:1:2:0:0:0:1',
    ],
  ])('%s', (_, one, other) => {
    expect(networkOf(one)).toBe(networkOf(other))
  })

  it.each([
    ['a neighbouring IPv4 address', '192.0.2.1', '192.0.2.2'],
    ['the next /64', '2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['the next /64 in a shortened address', '2001:db8::1', '2001:db8:0:1::1'],
    ['the loopback address', '::1', '2001:db8::1'],
  ])('an IP address and %s belong to different networks', (_, one, other) => {
    expect(networkOf(one)).not.toBe(networkOf(other))
  })
})

test('the name of a network is the IPv4 address, or the /64 of the IPv6 address', () => {
  const called = [
    '192.0.2.1',
    '::ffff:192.0.2.1',
    '2001:db8:1:2:3:4:5:6',
    '2001:db8::1',
    '::1',
    'a:b',
    undefined,
  ]

  expect(called.map(networkOf)).toEqual([
    ...['192.0.2.1', '192.0.2.1', '2001:db8:1:2', '2001:db8:0:0', '0:0:0:0', 'a:b', 'unknown'],
  ])
})

describe('anonymous requests', () => {
  let app: App
  beforeAll(async () => {
    app = await startApp({ env: { TRUST_PROXY: '1' } })
  })
  afterAll(() => app.stop())

  it('every /64 of IPv6 has sixty anonymous requests a minute of its own', async () => {
    const from = async (address: string) => {
      const { status, headers } = await app.ask('/v1/pets', { headers: { 'x-forwarded-for': address } })
      return [status, Number(headers['x-ratelimit-remaining'])]
    }

    for (let n = 1; n <= 60; n++) expect(await from(`2001:db8::${n.toString(16)}`)).toEqual([401, 60 - n])

    expect(await from('2001:db8:0:0:1:2:3:4')).toEqual([429, 0])
    expect(await from('2001:db8:0:1::1')).toEqual([401, 59])
  })
})

it.each([
  ['192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8::1', '2001:db8:0:0::/64'],
])(
  'the address %s is logged as %s if addresses are logged whole, and as %s if they are truncated',
  (address, whole, truncated) => {
    expect([shownAddress(address, 'whole'), shownAddress(address, 'truncated')]).toEqual([whole, truncated])
  },
)
