import { isIPv4, isIPv6, SocketAddress } from 'node:net'

/**
 * The PROXY protocol header, which a balancer sends first on a connection. `address` is the client's; null for the
 * balancer's own connections, such as probes. The client's bytes begin at `length`.
 */
export type ProxyHeader = { address: string | null; length: number }

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const longestText = 107
/** In bytes. The addresses take at most 36 bytes; the fields after them, such as a certificate's name, are ignored. */
const longestBinary = 4096

/** Parses a header. Returns null if the header is incomplete, and 'none' if the bytes cannot begin a header. */
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

/** Normalises an address to Node.js' spelling. */
function canonical(address: string): string {
  return new SocketAddress({ address, family: isIPv6(address) ? 'ipv6' : 'ipv4' }).address
}
