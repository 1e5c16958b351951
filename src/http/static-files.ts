import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Request, Response } from 'express'
import { answerBytes, answerEmpty } from './answer.ts'
import { holds, tagOf } from './etag.ts'
import { addHeaders } from './headers.ts'
import { keepPacked } from './packing.ts'

/** A file to send. All connections share its buffer; Node.js would copy a string for each slow reader. */
export type StaticFile = { type: string; bytes: Buffer; etag: string }

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}

/** Reads a built folder, a few hundred kilobytes, at its first request, so that later requests need no disk. */
export function readFolder(folder: string): Map<string, StaticFile> {
  if (!existsSync(folder)) return new Map()
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return new Map(
    names.flatMap(name => {
      const type = types[extname(name)]
      if (!type) return []
      const file = makeFile(type, readFileSync(join(folder, name)))
      if (names.includes(`${name}.br`)) keepPacked(file, 'br', readFileSync(join(folder, `${name}.br`)))
      return [[name.replaceAll('\\', '/'), file]]
    }),
  )
}

export function makeFile(type: string, content: Buffer | string): StaticFile {
  return { type, bytes: Buffer.from(content as string), etag: tagOf(content) }
}

/** `lasting`: the file's name changes with its content, so browsers may cache it for long. */
export function sendFile(
  request: Request,
  response: Response,
  file: StaticFile,
  { lasting = false } = {},
): Promise<void> | void {
  addHeaders(response, [
    ...['Cache-Control', lasting ? 'public, max-age=31536000, immutable' : 'no-cache'],
    ...['Vary', 'Accept-Encoding'],
    ...['ETag', file.etag],
  ])
  if (holds(request, file.etag)) return answerEmpty(response, 304)
  addHeaders(response, ['Content-Type', file.type])
  return answerBytes(response, 200, file.bytes, file)
}
