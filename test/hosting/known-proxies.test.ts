import { expect, test } from 'vitest'
import { proxyOf } from '../../src/hosting/known-proxies.ts'

const record = (value: string) => ({ name: 'www.shop.test', type: value.includes(':') ? 'AAAA' : 'A', value })
const proxyAt = (...addresses: string[]) => proxyOf(addresses.map(record))

/** The first and last address of each proxy's networks (`own`) and the neighbouring ones (`beside`). */
const published = {
  Cloudflare: {
    own: `173.245.48.0 173.245.63.255 103.21.244.0 103.21.247.255 103.22.200.0 103.22.203.255
      103.31.4.0 103.31.7.255 141.101.64.0 141.101.127.255 108.162.192.0 108.162.255.255
      190.93.240.0 190.93.255.255 188.114.96.0 188.114.111.255 197.234.240.0 197.234.243.255
      198.41.128.0 198.41.255.255 162.158.0.0 162.159.255.255 104.16.0.0 104.23.255.255
      104.24.0.0 104.27.255.255 172.64.0.0 172.71.255.255 131.0.72.0 131.0.75.255 2400:cb00::
      2400:cb00:ffff:ffff:ffff:ffff:ffff:ffff 2606:4700::
      2606:4700:ffff:ffff:ffff:ffff:ffff:ffff 2803:f800::
      2803:f800:ffff:ffff:ffff:ffff:ffff:ffff 2405:b500::
      2405:b500:ffff:ffff:ffff:ffff:ffff:ffff 2405:8100::
      2405:8100:ffff:ffff:ffff:ffff:ffff:ffff 2a06:98c0::
      2a06:98c7:ffff:ffff:ffff:ffff:ffff:ffff 2c0f:f248::
      2c0f:f248:ffff:ffff:ffff:ffff:ffff:ffff`,
    beside: `173.245.47.255 173.245.64.0 103.21.243.255 103.21.248.0 103.22.199.255 103.22.204.0
      103.31.3.255 103.31.8.0 141.101.63.255 141.101.128.0 108.162.191.255 108.163.0.0
      190.93.239.255 190.94.0.0 188.114.95.255 188.114.112.0 197.234.239.255 197.234.244.0
      198.41.127.255 198.42.0.0 162.157.255.255 162.160.0.0 104.15.255.255 104.28.0.0
      172.63.255.255 172.72.0.0 131.0.71.255 131.0.76.0 2400:caff:ffff:ffff:ffff:ffff:ffff:ffff
      2400:cb01:: 2606:46ff:ffff:ffff:ffff:ffff:ffff:ffff 2606:4701::
      2803:f7ff:ffff:ffff:ffff:ffff:ffff:ffff 2803:f801::
      2405:b4ff:ffff:ffff:ffff:ffff:ffff:ffff 2405:b501::
      2405:80ff:ffff:ffff:ffff:ffff:ffff:ffff 2405:8101::
      2a06:98bf:ffff:ffff:ffff:ffff:ffff:ffff 2a06:98c8::
      2c0f:f247:ffff:ffff:ffff:ffff:ffff:ffff 2c0f:f249::`,
  },
  Fastly: {
    own: `23.235.32.0 23.235.47.255 43.249.72.0 43.249.75.255 103.244.50.0 103.244.50.255
      103.245.222.0 103.245.223.255 103.245.224.0 103.245.224.255 104.156.80.0 104.156.95.255
      140.248.64.0 140.248.127.255 140.248.128.0 140.248.255.255 146.75.0.0 146.75.127.255
      151.101.0.0 151.101.255.255 157.52.64.0 157.52.127.255 167.82.0.0 167.82.127.255
      167.82.128.0 167.82.143.255 167.82.160.0 167.82.175.255 167.82.224.0 167.82.239.255
      172.111.64.0 172.111.127.255 185.31.16.0 185.31.19.255 199.27.72.0 199.27.79.255
      199.232.0.0 199.232.255.255 2a04:4e40:: 2a04:4e40:ffff:ffff:ffff:ffff:ffff:ffff
      2a04:4e42:: 2a04:4e42:ffff:ffff:ffff:ffff:ffff:ffff`,
    beside: `23.235.31.255 23.235.48.0 43.249.71.255 43.249.76.0 103.244.49.255 103.244.51.0
      103.245.221.255 103.245.225.0 104.156.79.255 104.156.96.0 140.248.63.255 140.249.0.0
      146.74.255.255 146.75.128.0 151.100.255.255 151.102.0.0 157.52.63.255 157.52.128.0
      167.81.255.255 167.82.144.0 167.82.159.255 167.82.176.0 167.82.223.255 167.82.240.0
      172.111.63.255 172.111.128.0 185.31.15.255 185.31.20.0 199.27.71.255 199.27.80.0
      199.231.255.255 199.233.0.0 2a04:4e3f:ffff:ffff:ffff:ffff:ffff:ffff 2a04:4e41::
      2a04:4e41:ffff:ffff:ffff:ffff:ffff:ffff 2a04:4e43::`,
  },
  Imperva: {
    own: `199.83.128.0 199.83.135.255 198.143.32.0 198.143.63.255 149.126.72.0 149.126.79.255
      103.28.248.0 103.28.251.255 45.64.64.0 45.64.67.255 185.11.124.0 185.11.127.255
      192.230.64.0 192.230.127.255 107.154.0.0 107.154.255.255 45.60.0.0 45.60.255.255
      45.223.0.0 45.223.255.255 131.125.128.0 131.125.255.255 2a02:e980::
      2a02:e987:ffff:ffff:ffff:ffff:ffff:ffff`,
    beside: `199.83.127.255 199.83.136.0 198.143.31.255 198.143.64.0 149.126.71.255 149.126.80.0
      103.28.247.255 103.28.252.0 45.64.63.255 45.64.68.0 185.11.123.255 185.11.128.0
      192.230.63.255 192.230.128.0 107.153.255.255 107.155.0.0 45.59.255.255 45.61.0.0
      45.222.255.255 45.224.0.0 131.125.127.255 131.126.0.0
      2a02:e97f:ffff:ffff:ffff:ffff:ffff:ffff 2a02:e988::`,
  },
  Sucuri: {
    own: `192.88.134.0 192.88.135.255 185.93.228.0 185.93.231.255 66.248.200.0 66.248.203.255
      208.109.0.0 208.109.3.255 192.124.249.0 192.124.249.255 2a02:fe80::
      2a02:fe87:ffff:ffff:ffff:ffff:ffff:ffff`,
    beside: `192.88.133.255 192.88.136.0 185.93.227.255 185.93.232.0 66.248.199.255 66.248.204.0
      208.108.255.255 208.109.4.0 192.124.248.255 192.124.250.0
      2a02:fe7f:ffff:ffff:ffff:ffff:ffff:ffff 2a02:fe88::`,
  },
}

test.each(Object.entries(published))(
  'the first and last addresses of each network of the proxy %s are recognised, and the addresses beside the networks are not',
  (name, networks) => {
    const [own, beside] = [networks.own.split(/\s+/), networks.beside.split(/\s+/)]

    expect(own.filter(address => proxyAt(address)?.name !== name)).toEqual([])
    const way = expect.stringContaining(name === 'Cloudflare' ? '"DNS only"' : `The name points at ${name}.`)
    expect(proxyAt(...own)).toEqual({ name, way })
    expect(beside.filter(address => proxyAt(address) !== null)).toEqual([])
  },
)

test.each([
  ['no address', []],
  ['an address before a network', ['104.15.255.255']],
  ['an address after a network', ['104.32.0.0']],
  ['an address of a neighbouring network', ['172.128.0.0']],
  ['an IPv6 address beside a network', ['2606:4701::1']],
  ['addresses of two different proxies', ['104.16.1.2', '151.101.1.2']],
  ['an address of a proxy and another address', ['104.16.1.2', '93.184.216.7']],
  ['an address of a proxy and another IPv6 address', ['104.16.1.2', '2606:2800::1']],
])('no proxy is recognised for %s', (_, addresses) => {
  expect(proxyAt(...addresses)).toBeNull()
})

test('a CNAME beside the addresses of a proxy does not hide the proxy', () => {
  const alias = { name: 'www.shop.test', type: 'CNAME', value: 'shop.cdn.test' }

  expect(proxyOf([alias, record('104.16.1.2')])).toMatchObject({ name: 'Cloudflare' })
  expect(proxyOf([alias])).toBeNull()
})
