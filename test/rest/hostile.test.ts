import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCodes } from '../../src/core/errors.ts'
import { statusOf } from '../../src/http/errors.ts'
import { randomOf } from '../support/random.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

/** `npm run malformed` tries ten seeds, or as many as SEEDS says; the gate tries three. */
const seeds = Array.from({ length: Number(process.env.SEEDS ?? 3) }, (_, n) => n + 1)

let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject({ plan: 'enterprise', perMinute: 1_000_000, perDay: 1_000_000 })
})
afterAll(() => app.stop())

describe('a thousand malformed requests', () => {
  it.each(seeds)('malformed requests of seed %i each get a clear answer, and never a 500', async seed => {
    const random = randomOf(seed)

    const answers = await sendAll(Array.from({ length: 1_000 }, () => malformed(random)))

    for (const { sent, status, body } of answers) {
      const seen = `${JSON.stringify(sent.toString('latin1').slice(0, 300))} -> ${status} ${body}`
      // The service supports neither `transfer-encoding: gzip` nor HTTP/2.0 on this port, so 501 and 505 are correct
      // answers.
      const isUnknown =
        (sent.includes('transfer-encoding: gzip') && status === 501) ||
        (sent.includes(' HTTP/2.0\r\n') && status === 505)
      if (!isUnknown) expect(status, seen).toBeLessThan(500)
      if (status < 400 || body === '') continue
      const error = JSON.parse(body)
      expect(errorCodes, seen).toContain(error.code)
      expect(error.status, seen).toBe(status)
      expect(statusOf[error.code as keyof typeof statusOf], seen).toBe(status)
      expect(body, seen).not.toMatch(/node_modules|\.ts\b|\bat .+:\d+:\d+/)
    }
  })
})

type Random = ReturnType<typeof randomOf>

/** Makes a valid request with one thing broken, sometimes in a way that only raw bytes can express. */
function malformed(random: Random): Buffer {
  const method = random.oneOf([
    'GET',
    'POST',
    'PUT',
    'DELETE',
    'PATCH',
    'HEAD',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'G\0T',
    '',
  ])
  const path = random.oneOf([
    '/v1/pets',
    '/v1/pets/5',
    '/v1/rate-limit',
    '/v1/pets?limit=',
    '/v1/pets?cursor=',
    '/v1/pets?status=',
    '/v1/pets/',
    '/v1',
    '/',
    '//',
    '/v1/pets/%',
    '/v1/pets/%00',
    '/v1/pets?%',
    '/v1/../v1/pets',
    'v1/pets',
    '*',
    '/v1/pets/9'.padEnd(3_000, '9'),
  ])
  const tail = random.oneOf([
    '',
    '',
    '%ff',
    '1e9',
    'NaN',
    '%F0%9F%90%88',
    '[]',
    '&limit=1&limit=2',
    "'--",
    '__proto__',
    'constructor',
  ])
  const authorization = random.oneOf([
    `Bearer ${store.secret}`,
    `Bearer ${store.secret}`,
    `Bearer ${store.secret}`,
    '',
    'Bearer',
    'Basic x',
    `Bearer ${store.secret}x`,
  ])
  const body = random.oneOf([
    '',
    '{',
    '[]',
    'null',
    '{"name":"x","categoryId":1}',
    '{"name":1e999,"categoryId":1e999}',
    '{"__proto__":{"name":"x"},"categoryId":1}',
    '{"name":{"toString":1},"categoryId":[]}',
    '{"name":"\\ud800","categoryId":-0}',
    '['.repeat(5_000),
    '\ufeff{}',
    `"${'\\u0000'.repeat(50)}"`,
    random.bytes(random.below(200)).toString('latin1'),
  ])
  const type = random.oneOf([
    'application/json',
    'application/json',
    'application/json; charset=x',
    'text/plain',
    '',
    'a/b/c',
    ';',
  ])
  const length = random.oneOf([
    `content-length: ${Buffer.byteLength(body, 'latin1')}`,
    'content-length: -1',
    'content-length: 5, 6',
    'transfer-encoding: gzip',
    '',
  ])
  const extra = random.oneOf([
    '',
    '',
    'idempotency-key: "',
    'content-encoding: gzip',
    'content-encoding: br',
    'expect: 100-continue',
    'expect: 7',
    'x: \x01',
    'connection: upgrade\r\nupgrade: h2c',
    'host: other',
    'x-forwarded-for: 1.2.3.4, x',
    'range: bytes=0-1',
    ':',
    'if-none-match: *',
    'accept: nothing/at-all',
  ])
  const version = random.oneOf(['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTCPCP/1.0'])
  const lines = [
    `${method} ${path}${tail} ${version}`,
    'host: localhost',
    'connection: close',
    `authorization: ${authorization}`,
    ...(type ? [`content-type: ${type}`] : []),
    ...(length ? [length] : []),
    ...(extra ? [extra] : []),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1')
}

type Outcome = { sent: Buffer; status: number; body: string }

async function sendAll(requests: Buffer[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const waiting = [...requests]
  const worker = async () => {
    for (let sent = waiting.pop(); sent; sent = waiting.pop()) outcomes.push(await send(sent))
  }
  await Promise.all(Array.from({ length: 32 }, worker))
  return outcomes
}

/** Sends a request. Disconnects if no answer comes, which may happen if the request's lengths are wrong. */
function send(sent: Buffer): Promise<Outcome> {
  return new Promise(resolve => {
    let answer = ''
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
    const finish = () => {
      socket.destroy()
      const [head = '', ...rest] = answer.split('\r\n\r\n')
      const interim = /^HTTP\/1\.1 1\d\d /.test(head)
      const last = interim ? (rest[0] ?? '') : head
      const body = rest.slice(interim ? 1 : 0).join('\r\n\r\n')
      resolve({ sent, status: Number(/^HTTP\/1\.1 (\d+)/.exec(last)?.[1] ?? 0), body })
    }
    socket.on('data', chunk => {
      answer += chunk.toString('latin1')
    })
    socket.on('close', finish)
    socket.on('error', finish)
    // Ending the stream tells the server that nothing more will come.
    socket.end(sent)
  })
}
