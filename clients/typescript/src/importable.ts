import { StoreError } from './errors.ts'
import { unlessAborted } from './time.ts'

/** The lines of an import: a text, a file, or a stream. */
export type Importable = string | Blob | ReadableStream<Uint8Array> | AsyncIterable<string | Uint8Array>
export type ImportFormat = 'ndjson' | 'csv'

const types = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const
const mostBytes = 10_000_000
const utf8 = new TextEncoder()

/** Newer versions of TypeScript accept only this type of bytes as a part of a Blob. */
type Piece = Uint8Array<ArrayBuffer>

/**
 * Reads and compresses the whole source, so that it can be sent again and even a slow line sends it within ten seconds,
 * as the store demands. Stops at the size that the store accepts.
 */
export async function collect(
  source: Importable,
  format: ImportFormat | undefined,
  signal: AbortSignal | undefined,
): Promise<Blob> {
  const isFile = source instanceof Blob
  const type = types[format ?? (isFile && source.type.startsWith(types.csv) ? 'csv' : 'ndjson')]
  const isWhole = isFile || typeof source === 'string'
  const pieces = isWhole ? [source] : await unlessAborted(() => gather(source, signal), signal)
  return unlessAborted(() => gzip(new Blob(pieces, { type })), signal)
}

function gzip(content: Blob): Promise<Blob> {
  const packed = content.stream().pipeThrough(new CompressionStream('gzip'))
  return new Response(packed, { headers: { 'Content-Type': content.type } }).blob()
}

async function gather(
  source: Exclude<Importable, string | Blob>,
  signal: AbortSignal | undefined,
): Promise<Piece[]> {
  const pieces: Piece[] = []
  let length = 0
  for await (const piece of source instanceof ReadableStream ? read(source, signal) : source) {
    signal?.throwIfAborted()
    const bytes = typeof piece === 'string' ? utf8.encode(piece) : piece
    length += bytes.length
    if (length > mostBytes) throw new StoreError('body_too_large', 'An import holds at most 10 MB.')
    pieces.push(bytes as Piece)
  }
  return pieces
}

/** Reads a stream by hand, because not every browser can iterate over it. */
async function* read(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  const leave = () => reader.cancel()
  signal?.addEventListener('abort', leave)
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    signal?.removeEventListener('abort', leave)
    await leave()
  }
}
