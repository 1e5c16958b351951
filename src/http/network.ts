import { isIPv6 } from 'node:net'

/** Returns an IPv4 address, or the /64 of an IPv6 address, because an IPv6 customer owns a whole /64. */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  if (!address.includes(':')) return address
  if (address.startsWith('::ffff:')) return address.slice('::ffff:'.length)
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  const missing = address.includes('::') ? 8 - groups.length - tail.split(':').filter(Boolean).length : 0
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0')].slice(0, 4).join(':')
}

/** Returns the address for the log: whole, or truncated to 24 bits (IPv4) or 64 bits (IPv6). */
export function shownAddress(address: string | undefined, how: 'whole' | 'truncated'): string | undefined {
  if (address === undefined) return undefined
  const network = networkOf(address)
  if (how === 'whole') return address.startsWith('::ffff:') ? network : address
  return network.includes(':') ? `${network}::/64` : network.replace(/\.\d+$/, '.0/24')
}
