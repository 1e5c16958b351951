import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { Request, Response } from 'express'
import { LRUCache } from 'lru-cache'
import { headerOf } from './headers.ts'

type Encoding = 'br' | 'gzip'

/** What is smaller goes in a packet or two either way. */
const leastBytes = 1024
/** Beyond this, smaller would take several times as long. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const packers: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: bytes => promisify(brotliCompress)(bytes, brotli),
  gzip: promisify(gzip),
}

/** Packs what is too long to be held whole. */
export const openPacker = (encoding: Encoding) =>
  encoding === 'br' ? createBrotliCompress(brotli) : createGzip()

/** What is kept, with its bytes as they were packed before. */
const packed = new WeakMap<object, Partial<Record<Encoding, Promise<Buffer>>>>()

/**
 * How an answer is packed, or null where it is not: only one that says that it varies so, and none with a secret, since
 * the size of a packed answer tells how much of it repeats what its sender chose (BREACH). A strong tag names the very
 * bytes (RFC 9110, 8.8.1).
 */
export function encodingOf(response: Response, bytes: { length: number }): Encoding | null {
  if (bytes.length < leastBytes || headerOf(response, 'Cache-Control') === 'no-store') return null
  if (headerOf(response, 'ETag')?.startsWith('"')) return null
  return headerOf(response, 'Vary')?.includes('Accept-Encoding') ? encodingFor(response.req) : null
}

/** Packs what is kept once for all who ask. */
export function pack(kept: object, encoding: Encoding, bytes: string | Buffer): Promise<Buffer> {
  const before = packed.get(kept)
  const known = before?.[encoding]
  if (known) return known
  const made = packers[encoding](Buffer.from(bytes as string, 'latin1'))
  packed.set(kept, { ...before, [encoding]: made })
  return made
}

/** What bytes that are kept weigh, with both ways in which they may be packed. */
export function weightOf(bytes: string): number {
  return bytes.length < leastBytes ? bytes.length : Math.ceil(bytes.length * 1.5)
}

/** Clients of one kind all send the same header, which takes longer to read than to find. */
const known = new LRUCache<string, { encoding: Encoding | null }>({ max: 200 })
const longestKept = 200

function encodingFor({ headers }: Request): Encoding | null {
  const wanted = headers['accept-encoding']
  if (wanted === undefined) return null
  const found = known.get(wanted) ?? { encoding: choose(wanted) }
  if (wanted.length <= longestKept) known.set(wanted, found)
  return found.encoding
}

/** The one that a client likes better (RFC 9110, 12.5.3); of equals, the one that makes less of the same. */
function choose(wanted: string): Encoding | null {
  const weights = new Map(wanted.toLowerCase().split(',').map(readWeight))
  const weigh = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  if (weigh('br') > 0 && weigh('br') >= weigh('gzip')) return 'br'
  return weigh('gzip') > 0 ? 'gzip' : null
}

function readWeight(part: string): [string, number] {
  const [name = '', ...parameters] = part.split(';').map(text => text.trim())
  const weight = parameters.find(parameter => parameter.startsWith('q='))
  return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
}
