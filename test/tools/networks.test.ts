import { expect, test } from 'vitest'
import { isPublicAddress } from '../../src/hosting/addresses.ts'
import { parseNetwork, subtract, toBlockList } from '../../src/tools/networks.ts'

const network = (text: string) => {
  const parsed = parseNetwork(text)
  if (!parsed) throw new Error(text)
  return parsed
}

test.each([
  ...['127.0.0.1', '0.0.0.0', '10.1.2.3', '169.254.169.254', '224.0.0.1', '255.255.255.255'],
  ...['::1', '::', 'fe80::1', 'fd00::1', '64:ff9b::1', '2001:db8::1', '2002::1', 'ff02::1'],
  ...['::ffff:127.0.0.1', '::ffff:10.0.0.1'],
])('%s is not public', address => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['93.184.216.7', '8.8.8.8', '2606:4700::1111', '2a00::1', '::ffff:93.184.216.7'])(
  '%s is public',
  address => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

test('an allowed network is taken out of a blocked one, and its neighbours stay blocked', () => {
  const list = toBlockList(subtract(network('10.0.0.0/8'), [network('10.1.0.0/16')]))
  const v6 = toBlockList(subtract(network('fc00::/7'), [network('fd00:7::/32')]))

  const isBlocked = ['10.0.255.255', '10.1.0.0', '10.1.255.255', '10.2.0.0', '11.0.0.0'].map(one =>
    list.check(one),
  )
  const isBlocked6 = ['fd00:6:ffff::', 'fd00:7::', 'fd00:7:ffff::1', 'fd00:8::'].map(one =>
    v6.check(one, 'ipv6'),
  )

  expect(isBlocked).toEqual([true, false, false, true, false])
  expect(isBlocked6).toEqual([true, false, false, true])
})

test.each([
  '10.0.0.0/33',
  'fd00::/129',
  'fe80::1%eth0',
  '10.0.0',
  'localhost',
  '',
  '10.0.0.0/x',
  '10.0.0.0/-1',
])('%j is no network', text => {
  expect(parseNetwork(text)).toBeNull()
})
