import express, { type Response } from 'express'
import { expect, test } from 'vitest'
import { answerBytes } from '../../src/http/answer.ts'
import { weightOf } from '../../src/http/packing.ts'
import { ask } from '../support/ask.ts'
import { standIn } from '../support/stand-in.ts'

const varies = { Vary: 'Accept-Encoding' }

/** Returns the encoding of an answer with this size and headers, for this Accept-Encoding. */
async function encodingOf(wanted: string | undefined, said: object, length = 2000, owner?: object) {
  const answer = (response: Response) => {
    response.set(said)
    return answerBytes(response, 200, 'x'.repeat(length), owner)
  }
  const url = await standIn(express().use((_request, response) => answer(response)))
  const { headers } = await ask(url, {
    headers: wanted === undefined ? {} : { 'accept-encoding': wanted },
  })
  return headers['content-encoding'] ?? 'plain'
}

test.each([
  [undefined, 'plain'],
  ['br', 'br'],
  ['BR', 'br'],
  ['gzip, br', 'br'],
  ['gzip;q=0.5, br;q=0.5', 'br'],
  ['gzip;q=0.6, br;q=0.5', 'gzip'],
  ['gzip; q=1.0,br ;q=0.9', 'gzip'],
  ['br;x=1;q=0, gzip', 'gzip'],
  ['br;q=never, gzip;q=0.1', 'gzip'],
  ['*;q=0.1, br;q=0', 'gzip'],
  ['*;q=0, gzip', 'gzip'],
  ['zstd', 'plain'],
  ['gzip;q=0, br;q=0.0', 'plain'],
  ['identity;q=0', 'plain'],
  // This header is too long to be cached, so it is parsed at every request.
  [`gzip;q=1, br;q=0.1, ${'x'.repeat(300)}`, 'gzip'],
])('a client with Accept-Encoding %s gets %s', async (wanted, encoding) => {
  expect(await encodingOf(wanted, varies)).toBe(encoding)
})

test('an answer is not compressed if it is small, may hold a secret, has a strong ETag or lacks Vary: Accept-Encoding', async () => {
  const lengths = await Promise.all([1023, 1024].map(length => encodingOf('br', varies, length)))
  const others = [
    await encodingOf('br', {}),
    await encodingOf('br', { Vary: 'Authorization' }),
    await encodingOf('br', { ...varies, 'Cache-Control': 'no-store' }),
    await encodingOf('br', { ...varies, ETag: '"strong"' }),
    await encodingOf('br', { Vary: 'Authorization, Accept-Encoding', ETag: 'W/"weak"' }),
    await encodingOf('br', { ...varies, 'Cache-Control': 'private, no-cache' }),
  ]

  expect(lengths).toEqual(['plain', 'br'])
  expect(others).toEqual(['plain', 'plain', 'plain', 'plain', 'br', 'br'])
})

test('the cache counts an answer of at least 1,024 characters as 1.5 times its length, and a shorter answer as its length', () => {
  expect([1023, 1024, 1025].map(length => weightOf('x'.repeat(length)))).toEqual([1023, 1536, 1538])
})
