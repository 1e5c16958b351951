import { BlockList, isIPv6 } from 'node:net'
import type { DnsRecord } from './dns-question.ts'

/** A proxy that answers for its customers' names with its own addresses. */
export type KnownProxy = { name: string; way: string }

// The networks that each proxy publishes.
const proxies: readonly (KnownProxy & { networks: string })[] = [
  {
    name: 'Cloudflare',
    way: 'Set the record to "DNS only" at Cloudflare, so that its orange cloud becomes grey.',
    networks: `173.245.48.0/20 103.21.244.0/22 103.22.200.0/22 103.31.4.0/22 141.101.64.0/18 108.162.192.0/18
      190.93.240.0/20 188.114.96.0/20 197.234.240.0/22 198.41.128.0/17 162.158.0.0/15 104.16.0.0/13 104.24.0.0/14
      172.64.0.0/13 131.0.72.0/22 2400:cb00::/32 2606:4700::/32 2803:f800::/32 2405:b500::/32 2405:8100::/32
      2a06:98c0::/29 2c0f:f248::/32`,
  },
  {
    name: 'Fastly',
    way: 'The name points at Fastly. Change its DNS record so that it points at this service.',
    networks: `23.235.32.0/20 43.249.72.0/22 103.244.50.0/24 103.245.222.0/23 103.245.224.0/24 104.156.80.0/20
      140.248.64.0/18 140.248.128.0/17 146.75.0.0/17 151.101.0.0/16 157.52.64.0/18 167.82.0.0/17 167.82.128.0/20 167.82.160.0/20
      167.82.224.0/20 172.111.64.0/18
      185.31.16.0/22 199.27.72.0/21 199.232.0.0/16 2a04:4e40::/32 2a04:4e42::/32`,
  },
  {
    name: 'Imperva',
    way: 'The name points at Imperva. Change its DNS record so that it points at this service.',
    networks: `199.83.128.0/21 198.143.32.0/19 149.126.72.0/21 103.28.248.0/22 45.64.64.0/22 185.11.124.0/22
      192.230.64.0/18 107.154.0.0/16 45.60.0.0/16 45.223.0.0/16 131.125.128.0/17 2a02:e980::/29`,
  },
  {
    name: 'Sucuri',
    way: 'The name points at Sucuri. Change its DNS record so that it points at this service.',
    networks:
      '192.88.134.0/23 185.93.228.0/22 66.248.200.0/22 208.109.0.0/22 192.124.249.0/24 2a02:fe80::/29',
  },
]

const known = proxies.map(({ name, way, networks }) => ({
  proxy: { name, way },
  list: readNetworks(networks),
}))

function readNetworks(networks: string): BlockList {
  const list = new BlockList()
  for (const network of networks.split(/\s+/)) {
    const [net = '', bits] = network.split('/')
    list.addSubnet(net, Number(bits), familyOf(net))
  }
  return list
}

function familyOf(address: string) {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

/**
 * Returns the proxy that owns all of these addresses. Returns null if one address is not the proxy's; the verdict then
 * reports that address.
 */
export function proxyOf(records: readonly DnsRecord[]): KnownProxy | null {
  const addresses = records.flatMap(({ type, value }) => (type === 'A' || type === 'AAAA' ? [value] : []))
  if (addresses.length === 0) return null
  const all = known.find(({ list }) => addresses.every(address => list.check(address, familyOf(address))))
  return all?.proxy ?? null
}
