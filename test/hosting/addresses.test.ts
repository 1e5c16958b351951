import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isPublicAddress } from '../../src/hosting/addresses.ts'
import { openDnsCheck } from '../../src/hosting/check-dns.ts'
import { openDns } from '../../src/hosting/dns.ts'
import { type NameServer, startNameServer } from '../../src/practice/name-server.ts'

// An address that no other test run on this machine uses.
const listener = `127.${(process.pid >> 8) & 255}.${process.pid & 255}.9`

const inside = [
  ...[
    listener,
    '127.0.0.53',
    '127.255.255.254',
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
  ],
  ...['192.168.0.1', '192.168.255.255', '169.254.169.254', '169.254.0.1', '100.64.0.1', '100.127.255.255'],
  ...['0.0.0.0', '0.1.2.3', '192.0.0.8', '192.0.2.1', '198.18.0.1', '198.19.255.255', '198.51.100.1'],
  ...['203.0.113.1', '224.0.0.251', '239.255.255.250', '240.0.0.1', '255.255.255.255', '192.88.99.1'],
  ...['::', '::1', '::ffff:127.0.0.1', '::ffff:a00:1', '::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::a00:1'],
  ...[
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
  ],
]

let resolver: NameServer
let touched = 0
const udp = createSocket('udp4').on('message', () => touched++)
const tcp = createServer(socket => {
  touched++
  socket.destroy()
})
let listening = true

beforeAll(async () => {
  resolver = await startNameServer([], 0, '127.0.0.8')
  // Name servers are queried at port 53, which usually only root may bind.
  const bound = Promise.all([once(udp, 'listening'), once(tcp, 'listening')])
  udp.bind(53, listener)
  tcp.listen(53, listener)
  await bound.catch(() => {
    listening = false
  })
})
afterAll(async () => {
  udp.close()
  tcp.close()
  await resolver.stop()
})

test('private and reserved addresses are not public', () => {
  const open = [
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
  ]

  expect(inside.filter(isPublicAddress)).toEqual([])
  expect(open.filter(isPublicAddress)).toEqual(open)
})

test.each(inside)('a name server at the address %s is not queried', async address => {
  const type = address.includes(':') ? 'AAAA' : 'A'
  resolver.setZone(['shop.test NS ns.shop.test', `ns.shop.test ${type} ${address}`])

  const { verdict } = await openDnsCheck(openDns([resolver]))('www.shop.test', 'acme.animals.localhost')

  expect(verdict).toMatchObject({ code: 'dns_unreachable', message: expect.stringContaining('not public') })
  expect(touched).toBe(0)
})

test('a name server with a private address is not queried, even behind an alias or if its address changes', async context => {
  if (!listening) context.skip('Port 53 of loopback cannot be bound here.')
  const alias = ['shop.test NS ns.shop.test', 'ns.shop.test CNAME inner.other.test']

  for (const address of ['192.168.0.1', listener, '10.0.0.1', listener]) {
    resolver.setZone([...alias, `inner.other.test A ${address}`, `inner.other.test AAAA ::ffff:${address}`])
    await openDnsCheck(openDns([resolver]))('www.shop.test', 'acme.animals.localhost')
  }

  expect(touched).toBe(0)
})
