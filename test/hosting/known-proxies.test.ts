import { expect, test } from 'vitest'
import { proxyOf } from '../../src/hosting/known-proxies.ts'

const record = (value: string) => ({ name: 'www.shop.test', type: value.includes(':') ? 'AAAA' : 'A', value })
const proxyAt = (...addresses: string[]) => proxyOf(addresses.map(record))

/** One address of each network that they publish for their proxies, the last one where there is a last. */
const published = {
  Cloudflare: `173.245.63.255 103.21.247.255 103.22.203.255 103.31.7.255 141.101.127.255 108.162.255.255 190.93.255.255
    188.114.111.255 197.234.243.255 198.41.255.255 162.159.255.255 104.23.255.255 104.27.255.255 172.71.255.255
    131.0.75.255 2400:cb00:0:0:1000:: 2606:4700:0:0:1000:: 2803:f800:0:0:1000:: 2405:b500:0:0:1000::
    2405:8100:0:0:1000:: 2a06:98c0:0:0:1000:: 2c0f:f248:0:0:1000::`,
  Fastly: `23.235.47.255 43.249.75.255 103.244.50.255 103.245.223.255 103.245.224.255 104.156.95.255 140.248.127.255
    140.248.255.255 146.75.127.255 151.101.255.255 157.52.127.255 167.82.127.255 167.82.143.255 167.82.175.255
    167.82.239.255 172.111.127.255 185.31.19.255 199.27.79.255 199.232.255.255 2a04:4e40:0:0:1000::
    2a04:4e42:0:0:1000::`,
  Imperva: `199.83.135.255 198.143.63.255 149.126.79.255 103.28.251.255 45.64.67.255 185.11.127.255 192.230.127.255
    107.154.255.255 45.60.255.255 45.223.255.255 131.125.255.255 2a02:e980:0:0:1000::`,
  Sucuri: '192.88.135.255 185.93.231.255 66.248.203.255 208.109.3.255 192.124.249.255 2a02:fe80:0:0:1000::',
}

test.each(Object.entries(published))('each network of %s is known as its own', (name, addresses) => {
  const all = addresses.split(/\s+/)

  expect(all.filter(address => proxyAt(address)?.name !== name)).toEqual([])
  expect(proxyAt(...all)).toMatchObject({ name, way: expect.stringMatching(/\.$/) })
})

test('an address beside a network of a proxy is not its own, unless another network begins there', () => {
  const ipv4 = Object.values(published).flatMap(text => text.split(/\s+/).filter(one => one.endsWith('.255')))
  const after = (address: string) => {
    const [a = 0, b = 0, c = 0] = address.split('.').map(Number)
    const next = a * 65_536 + b * 256 + c + 1
    return [next >> 16, (next >> 8) & 255, next & 255, 0].join('.')
  }

  const known = ipv4.map(after).filter(address => proxyAt(address))

  expect(known).toEqual(['104.24.0.0', '103.245.224.0', '140.248.128.0', '167.82.128.0'])
})

test.each([
  ['none', []],
  ['one beside a network', ['104.15.255.255']],
  ['one after it', ['104.32.0.0']],
  ['one of a neighbour', ['172.128.0.0']],
  ['one of IPv6 beside it', ['2606:4701::1']],
  ['those of two different proxies', ['104.16.1.2', '151.101.1.2']],
  ['one of a proxy and another one', ['104.16.1.2', '93.184.216.7']],
  ['one of a proxy and another one of IPv6', ['104.16.1.2', '2606:2800::1']],
])('no proxy is told of %s', (_, addresses) => {
  expect(proxyAt(...addresses)).toBeNull()
})

test('a CNAME beside the addresses of a proxy hides nothing', () => {
  const alias = { name: 'www.shop.test', type: 'CNAME', value: 'shop.cdn.test' }

  expect(proxyOf([alias, record('104.16.1.2')])).toMatchObject({ name: 'Cloudflare' })
  expect(proxyOf([alias])).toBeNull()
})
