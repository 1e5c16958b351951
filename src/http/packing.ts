import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { Request, Response } from 'express'
import { LRUCache } from 'lru-cache'
import { headerOf } from './headers.ts'

type Encoding = 'br' | 'gzip'

/** A smaller answer takes one or two packets, compressed or not. */
const leastBytes = 1024
/** A higher quality would take several times as long. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const packers: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: bytes => promisify(brotliCompress)(bytes, brotli),
  gzip: promisify(gzip),
}

/** Makes a compressor for an answer that does not fit into memory. */
export const openPacker = (encoding: Encoding) =>
  encoding === 'br' ? createBrotliCompress(brotli) : createGzip()

/** The compressed bytes of each cache entry. */
const packed = new WeakMap<object, Partial<Record<Encoding, Promise<Buffer>>>>()

/**
 * Returns the encoding of an answer; null for none. Compresses only answers with `Vary: Accept-Encoding`, and none with
 * a secret: the compressed size reveals how much of the answer repeats the client's input (BREACH). Does not compress
 * an answer with a strong tag either, because a strong tag names the exact bytes (RFC 9110, 8.8.1).
 */
export function encodingOf(response: Response, bytes: { length: number }): Encoding | null {
  if (bytes.length < leastBytes || headerOf(response, 'Cache-Control') === 'no-store') return null
  if (headerOf(response, 'ETag')?.startsWith('"')) return null
  return headerOf(response, 'Vary')?.includes('Accept-Encoding') ? encodingFor(response.req) : null
}

/** Caches bytes that are compressed already, such as a file that the build has compressed. */
export function keepPacked(owner: object, encoding: Encoding, bytes: Buffer): void {
  packed.set(owner, { ...packed.get(owner), [encoding]: Promise.resolve(bytes) })
}

/** Compresses a cache entry once for all clients. */
export function pack(owner: object, encoding: Encoding, bytes: string | Buffer): Promise<Buffer> {
  const before = packed.get(owner)
  const known = before?.[encoding]
  if (known) return known
  const made = packers[encoding](Buffer.from(bytes as string, 'latin1'))
  packed.set(owner, { ...before, [encoding]: made })
  return made
}

/** Returns the size of a cached answer in bytes, including both compressed forms. */
export function weightOf(bytes: { length: number }): number {
  return bytes.length < leastBytes ? bytes.length : Math.ceil(bytes.length * 1.5)
}

/** Clients of one kind all send the same Accept-Encoding, and parsing it takes longer than this look-up. */
const known = new LRUCache<string, { encoding: Encoding | null }>({ max: 200 })
const longestCached = 200

function encodingFor({ headers }: Request): Encoding | null {
  const wanted = headers['accept-encoding']
  if (wanted === undefined) return null
  const found = known.get(wanted) ?? { encoding: choose(wanted) }
  if (wanted.length <= longestCached) known.set(wanted, found)
  return found.encoding
}

/** Returns the encoding that the client prefers (RFC 9110, 12.5.3), or else brotli, which compresses better. */
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
