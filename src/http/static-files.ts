import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Request, Response } from 'express'
import { addHeaders, sendHead } from './headers.ts'

export type StaticFile = { type: string; body: Buffer; gzip: Buffer }

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}

/** A built folder, read and packed with its first request: a few hundred kilobytes, so that no later one touches the disk. */
export function readFolder(folder: string): Map<string, StaticFile> {
  if (!existsSync(folder)) return new Map()
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return new Map(
    names.flatMap(name => {
      const type = types[extname(name)]
      return type ? [[name.replaceAll('\\', '/'), packFile(type, readFileSync(join(folder, name)))]] : []
    }),
  )
}

export function packFile(type: string, body: Buffer): StaticFile {
  return { type, body, gzip: gzipSync(body, { level: 9 }) }
}

/** `lasting` is for files whose name changes with their content. */
export function sendFile(
  request: Request,
  response: Response,
  file: StaticFile,
  { lasting = false } = {},
): void {
  const packed = request.acceptsEncodings('gzip') === 'gzip'
  const body = packed ? file.gzip : file.body
  addHeaders(response, [
    ...['Content-Type', file.type],
    ...['Cache-Control', lasting ? 'public, max-age=31536000, immutable' : 'no-cache'],
    ...['Vary', 'Accept-Encoding'],
    ...(packed ? ['Content-Encoding', 'gzip'] : []),
    ...['Content-Length', String(body.length)],
  ])
  sendHead(response, 200)
  response.end(body)
}
