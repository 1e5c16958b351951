import { isIP } from 'node:net'
import { type Network, parseNetwork, subtract, toBlockList } from '../tools/networks.ts'

// Networks that IANA's special-purpose registries reserve (RFC 6890 and later).
const special = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  // Teredo and 6to4 addresses contain IPv4 addresses, including private ones.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
].map(networkOf)

/**
 * The IPv6 networks that are neither in 2000::/3, which contains all public IPv6 addresses, nor in ::ffff:0:0/96, which
 * stands for the IPv4 addresses.
 */
const notUnicast = subtract(networkOf('::/0'), [networkOf('2000::/3'), networkOf('::ffff:0:0/96')])

/** Every network that is not public. */
export const reservedNetworks: readonly Network[] = [...special, ...notUnicast]

const reserved = toBlockList(reservedNetworks)

/** False for private, loopback and other reserved addresses. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && !reserved.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

function networkOf(text: string): Network {
  const network = parseNetwork(text)
  if (!network) throw new Error(`${text} is not a network.`)
  return network
}
