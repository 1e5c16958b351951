import { once } from 'node:events'
import { type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import express, { type ErrorRequestHandler } from 'express'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answerStream } from '../../src/http/answer.ts'

const part = 'x'.repeat(64 * 1024)
let server: Server
let made = 0
let hasEnded = false
let faults: unknown[] = []

/** A server with endless answers. */
beforeEach(async () => {
  made = 0
  hasEnded = false
  faults = []
  const app = express()
  app.get('/', (_request, response) => {
    response.setHeader('Vary', 'Accept-Encoding')
    return answerStream(response, 'text/plain', async function* () {
      try {
        for (;;) {
          made++
          yield part
        }
      } finally {
        hasEnded = true
      }
    })
  })
  app.get('/faulty', (_request, response) => {
    response.setHeader('Vary', 'Accept-Encoding')
    return answerStream(response, 'text/plain', async function* () {
      yield part
      throw new Error('a bug')
    })
  })
  const noteFault: ErrorRequestHandler = (fault, _request, response, _next) => {
    faults.push(fault)
    response.destroy()
  }
  app.use(noteFault)
  server = app.listen(0)
  await once(server, 'listening')
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

async function open(encoding: string, path = '/', method = 'GET'): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo
  const outgoing = request({ port, path, method, headers: { 'accept-encoding': encoding } }).end()
  outgoing.on('error', () => {})
  const [answer] = await once(outgoing, 'response')
  return answer
}

/** Waits until the server has produced no part of an answer for 200 ms. */
async function untilItRests(): Promise<number> {
  for (let before = -1; before !== made; ) {
    before = made
    await wait(200)
    if (made > 2_000) throw new Error('it never rests')
  }
  return made
}

it.each(['identity', 'gzip'])(
  'an answer that fails in the middle is cut off, and its error is logged: %s',
  async encoding => {
    const answer = await open(encoding, '/faulty')
    const read = answer.toArray()

    await expect(read).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(faults).toEqual([new Error('a bug')])
  },
)

it('HEAD of a streamed answer returns the headers of the answer and produces no part of the body', async () => {
  const answer = await open('gzip', '/', 'HEAD')

  expect(answer.headers).toMatchObject({ 'content-type': 'text/plain', 'content-encoding': 'gzip' })
  expect(await answer.toArray()).toEqual([])
  expect(made).toBe(0)
})

describe.each(['identity', 'gzip'])('an endless answer, %s', encoding => {
  it('a streamed answer is produced as fast as the client reads it, and stops without an error when the client disconnects', async () => {
    const answer = await open(encoding)
    // Check this only without compression, because thousands of compressed parts would be needed to fill the buffers.
    if (encoding === 'identity') {
      const atFirst = await untilItRests()
      let read = 0
      for await (const bytes of answer.iterator({ destroyOnReturn: false })) {
        read += bytes.length
        if (read > 5_000_000) break
      }
      expect(made).toBeGreaterThan(atFirst)
      await untilItRests()
    }
    expect(hasEnded).toBe(false)

    answer.destroy()
    await expect.poll(() => hasEnded).toBe(true)
    const atLast = made

    await wait(100)
    expect(made).toBe(atLast)
    expect(faults).toEqual([])
  })
})
