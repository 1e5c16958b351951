import { BlockList, isIP } from 'node:net'

/**
 * Addresses whose first `bits` bits are those of `start`. An IPv4 address is stored as an IPv6 address, mapped into
 * ::ffff:0:0/96.
 */
export type Network = { start: bigint; bits: number }

const width = 128
const mapped = { start: 0xffffn << 32n, bits: 96 }

/** Parses an address or a network, like 10.0.0.0/8 or fd00::/8. Returns null for anything else. */
export function parseNetwork(text: string): Network | null {
  const [, address = '', length] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return null
  const longest = family === 4 ? 32 : width
  const own = length === undefined ? longest : Number(length)
  if (own > longest) return null
  const bits = own + width - longest
  return {
    start: masked(family === 4 ? mapped.start | numberOfIPv4(address) : numberOfIPv6(address), bits),
    bits,
  }
}

/** True for the number of a port that a program can listen on, in decimal digits. */
export const isPort = (text: string) => /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) <= 65_535

/** Returns the parts of `network` that are in none of `except`. */
export function subtract(network: Network, except: readonly Network[]): Network[] {
  const inside = except.filter(other => overlap(network, other))
  if (inside.length === 0) return [network]
  if (inside.some(other => other.bits <= network.bits)) return []
  const bits = network.bits + 1
  const half = 1n << BigInt(width - bits)
  return [network.start, network.start | half].flatMap(start => subtract({ start, bits }, inside))
}

/** Makes a list that tells whether an address is in one of the networks. */
export function toBlockList(networks: readonly Network[]): BlockList {
  const list = new BlockList()
  for (const { start, bits } of networks) {
    const isIPv4 = bits >= mapped.bits && masked(start, mapped.bits) === mapped.start
    if (isIPv4) list.addSubnet(textOfIPv4(start), bits - mapped.bits, 'ipv4')
    else list.addSubnet(textOfIPv6(start), bits, 'ipv6')
  }
  return list
}

const masked = (start: bigint, bits: number) => (start >> BigInt(width - bits)) << BigInt(width - bits)

function overlap(one: Network, other: Network): boolean {
  const bits = Math.min(one.bits, other.bits)
  return masked(one.start, bits) === masked(other.start, bits)
}

const numberOfIPv4 = (address: string) =>
  address.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n)

function numberOfIPv6(address: string): bigint {
  // The URL parser writes each IPv6 address in one way, with an embedded IPv4 address as two groups.
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groupsOf = (text = '') => (text === '' ? [] : text.split(':'))
  const [left, right] = [groupsOf(before), groupsOf(after)]
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n)
}

const textOfIPv4 = (start: bigint) => [24n, 16n, 8n, 0n].map(shift => (start >> shift) & 255n).join('.')

const textOfIPv6 = (start: bigint) =>
  Array.from({ length: 8 }, (_, n) => ((start >> BigInt(112 - 16 * n)) & 0xffffn).toString(16)).join(':')
