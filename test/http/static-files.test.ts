import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { makeFile, readFolder, sendFile } from '../../src/http/static-files.ts'
import { ask } from '../support/ask.ts'
import { standIn } from '../support/stand-in.ts'

test('the files of a folder that browsers use are read with their paths and media types', () => {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'assets/deep'), { recursive: true })
  for (const name of ['a.html', 'assets/b.js', 'assets/deep/c.css', 'd.svg', 'e.woff2', 'f.wasm'])
    writeFileSync(join(folder, name), name)
  for (const name of ['a.map', '.env', 'README.md', 'assets/b.js.gz']) writeFileSync(join(folder, name), name)

  const types = [...readFolder(folder)].map(([name, { type }]) => [name, type])

  expect(Object.fromEntries(types)).toEqual({
    'a.html': 'text/html; charset=utf-8',
    'assets/b.js': 'text/javascript; charset=utf-8',
    'assets/deep/c.css': 'text/css; charset=utf-8',
    'd.svg': 'image/svg+xml',
    'e.woff2': 'font/woff2',
    'f.wasm': 'application/wasm',
  })
  expect(readFolder(join(folder, 'nowhere')).size).toBe(0)
})

test('a file is sent byte for byte, with caching headers and a tag of its content', async () => {
  const file = makeFile('text/css', Buffer.from('käse'))
  const url = await standIn(
    express()
      .get('/lasting', (request, response) => sendFile(request, response, file, { lasting: true }))
      .get('/', (request, response) => sendFile(request, response, file)),
  )

  const [now, lasting] = [await ask(`${url}/`), await ask(`${url}/lasting`)]
  const { etag = '' } = now.headers
  const held = await ask(`${url}/lasting`, { headers: { 'if-none-match': `"x", ${etag}` } })

  expect([now.status, now.text]).toEqual([200, 'käse'])
  const common = { 'content-type': 'text/css', 'content-length': '5', vary: 'Accept-Encoding', etag }
  expect(now.headers).toMatchObject({ ...common, 'cache-control': 'no-cache' })
  expect(lasting.headers).toMatchObject({ ...common, 'cache-control': 'public, max-age=31536000, immutable' })
  expect([held.status, held.text, held.headers.etag]).toEqual([304, '', etag])
  expect(held.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(held.headers['content-type']).toBeUndefined()
  expect(makeFile('text/css', 'käse').etag).toBe(etag)
  expect(makeFile('text/css', 'wurst').etag).not.toBe(etag)
})
