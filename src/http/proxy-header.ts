import { isIPv4, isIPv6, SocketAddress } from 'node:net'

/**
 * What a balancer says before a connection's first byte, by the PROXY protocol of HAProxy: who it passes on, or null for a
 * connection of its own, like a probe. `length` is where the client's own bytes begin.
 */
export type ProxyHeader = { address: string | null; length: number }

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const longestText = 107
/** Addresses take 36 bytes at most; what follows them, like the name of a certificate, is not read. */
const longestBinary = 4096

/** Null where more is to come, 'none' where these bytes begin no such header. */
export function readProxyHeader(bytes: Buffer): ProxyHeader | null | 'none' {
  const beginning = bytes.subarray(0, signature.length)
  if (beginning.equals(signature.subarray(0, beginning.length))) return readBinary(bytes)
  return readText(bytes.toString('latin1', 0, longestText))
}

function readText(text: string): ProxyHeader | null | 'none' {
  const end = text.indexOf('\r\n')
  if (end < 0) return text.length < longestText && 'PROXY '.startsWith(text.slice(0, 6)) ? null : 'none'
  const [word, family, source = '', ...others] = text.slice(0, end).split(' ')
  const length = end + 2
  if (word !== 'PROXY') return 'none'
  if (family === 'UNKNOWN') return { address: null, length }
  const isValid = family === 'TCP4' ? isIPv4(source) : family === 'TCP6' && isIPv6(source)
  return isValid && others.length === 3 ? { address: canonical(source), length } : 'none'
}

function readBinary(bytes: Buffer): ProxyHeader | null | 'none' {
  if (bytes.length < 16) return null
  const version = bytes.readUInt8(12) >> 4
  const isPassedOn = (bytes.readUInt8(12) & 15) === 1
  const family = bytes.readUInt8(13)
  const length = 16 + bytes.readUInt16BE(14)
  if (version !== 2 || length > longestBinary) return 'none'
  if (bytes.length < length) return null
  if (isPassedOn && family === 0x11 && length >= 28)
    return { address: bytes.subarray(16, 20).join('.'), length }
  if (isPassedOn && family === 0x21 && length >= 52)
    return { address: readIPv6(bytes.subarray(16, 32)), length }
  return { address: null, length }
}

function readIPv6(bytes: Buffer): string {
  return canonical(bytes.toString('hex').replace(/(....)(?!$)/g, '$1:'))
}

/** In the spelling of node's own addresses. */
function canonical(address: string): string {
  return new SocketAddress({ address, family: isIPv6(address) ? 'ipv6' : 'ipv4' }).address
}
