import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Request, Response } from 'express'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readBody } from '../../src/http/body.ts'

/** The pieces that a slow handler received, in order, and then how the reading ended. */
let taken: string[]
const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
  taken = []
  const reading = readBody(request as Request, response as unknown as Response, 1_000_000, async piece => {
    const text = String(piece)
    await pause(20)
    if (text.startsWith('faulty')) throw new Error('faulty')
    taken.push(text)
  })
  const end = await reading.then(
    () => 'read',
    (error: Error) => error.message,
  )
  taken.push(end)
  response.end()
})
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => server.close())

/** Sends each piece as one chunk, with a pause of `waitMs` after it, and returns what the handler got. */
async function send(pieces: string[], waitMs: number): Promise<string[]> {
  async function* body() {
    for (const piece of pieces) {
      yield Buffer.from(piece)
      if (waitMs > 0) await pause(waitMs)
    }
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await fetch(url, { method: 'POST', body: ReadableStream.from(body()), duplex: 'half' } as RequestInit)
  return taken
}

it('reading a body waits until its last piece has been processed, even if the whole body arrives as one piece', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await fetch(url, { method: 'POST', body: 'whole' })

  expect(taken).toEqual(['whole', 'read'])
})

it.each([0, 5, 30])(
  'the pieces of a body are processed one after the other, in order, if they arrive %i ms apart',
  async waitMs => {
    const got = await send(['1', '2', '3', '4', '5'], waitMs)

    expect(got.at(-1)).toBe('read')
    expect(got.slice(0, -1).join('')).toBe('12345')
  },
)

it('an error in processing a piece of a body rejects the reading of the body, even after the body has ended', async () => {
  expect(await send(['faulty'], 0)).toEqual(['faulty'])
  expect(await send(['1', 'faulty', '3'], 30)).toEqual(['1', 'faulty'])
})
