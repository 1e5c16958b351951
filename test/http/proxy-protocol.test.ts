import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectSecurely } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { readProxyHeader } from '../../src/http/proxy-header.ts'
import { expectProxyHeaders } from '../../src/http/proxy-protocol.ts'
import { trustedProxies } from '../../src/http/trusted-proxies.ts'
import { openLog } from '../../src/tools/log.ts'
import { makeListenerCertificate } from '../support/pebble.ts'
import { freePort } from '../support/programs.ts'
import { openRawConnection } from '../support/raw-connection.ts'
import { type App, startApp } from '../support/start-app.ts'

const request = (...lines: string[]) =>
  `${['GET /v1/pets HTTP/1.1', 'host: localhost', 'connection: close', ...lines].join('\r\n')}\r\n\r\n`
const signature = '\r\n\r\n\0\r\nQUIT\n'

function binary(command: number, family: number, rest: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt8(0x20 | command, 0)
  head.writeUInt8(family, 1)
  head.writeUInt16BE(rest.length, 2)
  return Buffer.concat([Buffer.from(signature, 'latin1'), head, rest])
}
const bytes = (...groups: number[]) => Buffer.from(groups)
const ports = bytes(0x1f, 0x90, 0x01, 0xbb)
let used = 0
/**
 * Returns the last byte of an address. Each call returns a new byte, even if a test is tried again, so every try of a
 * test has its own address.
 */
const unused = () => ++used
const ipv4 = (last: number) => Buffer.concat([bytes(192, 0, 2, last, 10, 0, 0, 1), ports])
const ipv6 = (address: string) => Buffer.concat([Buffer.from(address, 'hex'), Buffer.alloc(16), ports])

describe('the header of the PROXY protocol', () => {
  const more = Buffer.from('GET /')
  it.each<[string, Buffer, string | null]>([
    ['text, IPv4', Buffer.from('PROXY TCP4 192.0.2.7 10.0.0.1 8080 443\r\n'), '192.0.2.7'],
    ['text, IPv6', Buffer.from('PROXY TCP6 2001:DB8:0:0::7 ::1 8080 443\r\n'), '2001:db8::7'],
    [
      'text, IPv4 mapped to IPv6',
      Buffer.from('PROXY TCP6 ::ffff:c000:207 ::1 8080 443\r\n'),
      '::ffff:192.0.2.7',
    ],
    ['text, unknown protocol', Buffer.from('PROXY UNKNOWN\r\n'), null],
    ['text, unknown protocol with addresses', Buffer.from('PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n'), null],
    ['binary, IPv4', binary(1, 0x11, ipv4(7)), '192.0.2.7'],
    [
      'binary, IPv4 and further bytes',
      binary(1, 0x11, Buffer.concat([ipv4(7), Buffer.alloc(200)])),
      '192.0.2.7',
    ],
    ['binary, IPv6', binary(1, 0x21, ipv6('20010db8000000000000000000000007')), '2001:db8::7'],
    [
      'binary, IPv4 mapped to IPv6',
      binary(1, 0x21, ipv6('00000000000000000000ffffc0000207')),
      '::ffff:192.0.2.7',
    ],
    ['binary, IPv4 with too few bytes', binary(1, 0x11, ipv4(7).subarray(0, 11)), null],
    ['binary, IPv6 with as many bytes as IPv4', binary(1, 0x21, ipv4(7)), null],
    ['binary, IPv6 with too few bytes', binary(1, 0x21, Buffer.alloc(35)), null],
    ['binary, a probe', binary(0, 0, bytes()), null],
    ['binary, a probe that names an address', binary(0, 0x11, ipv4(7)), null],
    ['binary, a unix socket', binary(1, 0x31, Buffer.alloc(216)), null],
  ])('a PROXY header is read: %s', (_kind, header, address) => {
    expect(readProxyHeader(Buffer.concat([header, more]))).toEqual({ address, length: header.length })
    for (let length = 0; length < header.length; length++) {
      expect(readProxyHeader(header.subarray(0, length))).toBeNull()
    }
  })

  it.each<[string, Buffer]>([
    ['a request', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['the beginning of TLS', bytes(0x16, 3, 1, 2, 0, 1)],
    ['an invalid address', Buffer.from('PROXY TCP4 192.0.2.999 10.0.0.1 8080 443\r\n')],
    ['an IPv6 address declared as IPv4', Buffer.from('PROXY TCP4 ::1 10.0.0.1 8080 443\r\n')],
    ['too few words', Buffer.from('PROXY TCP4 192.0.2.7\r\n')],
    ['a line without an end', Buffer.from(`PROXY TCP4 ${'1'.repeat(100)}`)],
    ['version 1 in binary', Buffer.concat([Buffer.from(signature, 'latin1'), bytes(0x11, 0x11, 0, 12)])],
    ['a binary header of 5,000 bytes', binary(1, 0x11, Buffer.alloc(5000))],
  ])('bytes that are no PROXY header are recognised: %s', (_kind, given) => {
    expect(readProxyHeader(given)).toBe('none')
  })
})

describe('a port that expects the PROXY protocol', () => {
  let app: App
  beforeAll(async () => {
    app = await startApp({ env: { PROXY_PROTOCOL: 'http' } })
  })
  afterAll(() => app.stop())

  async function remainingAfter(...parts: (Buffer | string)[]): Promise<number> {
    const { socket, answers } = await openRawConnection(app.url)
    socket.setNoDelay(true)
    for (const part of parts) {
      socket.write(part)
      await new Promise(resolve => setImmediate(resolve))
    }
    const [answer] = await answers()
    return Number(answer?.headers.get('x-ratelimit-remaining'))
  }

  it('a client is limited by its address in either version of the PROXY header, and its X-Forwarded-For is ignored', async () => {
    const [one, other] = [unused(), unused()]
    const text = `PROXY TCP4 192.0.2.${one} 10.0.0.1 8080 443\r\n`

    expect(await remainingAfter(text + request())).toBe(59)
    expect(await remainingAfter(binary(1, 0x11, ipv4(one)), request())).toBe(58)
    expect(await remainingAfter(text, request('x-forwarded-for: 198.51.100.1'))).toBe(57)
    expect(await remainingAfter(binary(1, 0x11, ipv4(other)), request())).toBe(59)
  })

  it('a PROXY header and a request are read even if they arrive byte by byte', async () => {
    const last = unused()
    expect(await remainingAfter(...`PROXY TCP4 192.0.2.${last} 10.0.0.1 8080 443\r\n${request()}`)).toBe(59)
    expect(
      await remainingAfter(...[...binary(1, 0x11, ipv4(last))].map(byte => bytes(byte)), request()),
    ).toBe(58)
  })

  it('every request on a connection with a PROXY header is answered', async () => {
    const { socket, answers } = await openRawConnection(app.url)
    const next = request().replace('connection: close', 'connection: keep-alive')

    socket.write(`PROXY TCP4 192.0.2.${unused()} 10.0.0.1 8080 443\r\n${next}${next}`)
    await answers(2)
    socket.write(request())
    const all = await answers()

    expect(all.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['59', '58', '57'])
  })

  it('a request whose PROXY header names no client, such as a balancer’s health check, is limited by the balancer’s address', async () => {
    expect(await remainingAfter(binary(0, 0, bytes()), request())).toBe(59)
    expect(await remainingAfter('PROXY UNKNOWN\r\n', request())).toBe(58)
  })

  it.each([
    ['speaks HTTP at once', request()],
    ['sends nothing', ''],
    ['stops in the middle of the header', 'PROXY TCP4 192'],
  ])('the connection of a client that %s is closed without an answer', async (_who, sent) => {
    const { socket, answers } = await openRawConnection(app.url)

    socket.write(sent)

    expect(await answers()).toEqual([])
  })

  it('a port with the PROXY protocol keeps serving after clients disconnect in the middle of the PROXY header', async () => {
    const leaves = (how: 'end' | 'resetAndDestroy') =>
      new Promise<void>(resolve => {
        const socket = connect(Number(new URL(app.url).port), '127.0.0.1', () =>
          socket.write('PROXY TCP4 1', () => socket[how]()),
        )
        socket.on('error', () => {}).once('close', () => resolve())
      })

    await Promise.all([leaves('end'), leaves('resetAndDestroy')])

    expect(await remainingAfter(`PROXY TCP4 192.0.2.${unused()} 10.0.0.1 8080 443\r\n`, request())).toBe(59)
  })
})

describe('a port of HTTPS that expects the PROXY protocol', () => {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-tls-'))
  let server: Server
  beforeAll(async () => {
    await makeListenerCertificate(folder)
    const [key, cert] = ['key.pem', 'cert.pem'].map(file => readFileSync(join(folder, file)))
    server = createServer({ key, cert }, ({ socket }, response) => response.end(socket.remoteAddress))
    expectProxyHeaders(server, openLog('silent'))
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  afterAll(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })

  /** Returns the client address that the server sees for a connection from this port of the balancer. */
  async function seenFrom(localPort: number, header: string): Promise<string> {
    const { port } = server.address() as AddressInfo
    const socket = connect({ port, host: '127.0.0.1', localPort })
    socket.write(header)
    const secure = connectSecurely({ socket, rejectUnauthorized: false })
    secure.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
    let answer = ''
    secure.on('data', piece => {
      answer += piece
    })
    const address = () => /\r\n\r\n([\d.]+)$/.exec(answer)?.[1] ?? ''
    await expect.poll(address).not.toBe('')
    // A reset, unlike an end, frees the port at once.
    socket.resetAndDestroy()
    await expect
      .poll(() => new Promise(resolve => server.getConnections((_, count) => resolve(count))))
      .toBe(0)
    return address()
  }

  it('a connection from a reused port of the balancer does not get the previous client’s address', async () => {
    const port = await freePort()

    const seen = [
      await seenFrom(port, 'PROXY TCP4 192.0.2.1 10.0.0.1 8080 443\r\n'),
      await seenFrom(port, 'PROXY UNKNOWN\r\n'),
      await seenFrom(port, 'PROXY TCP4 192.0.2.2 10.0.0.1 8080 443\r\n'),
    ]

    expect(seen).toEqual(['192.0.2.1', '127.0.0.1', '192.0.2.2'])
  })
})

describe('X-Forwarded-For', () => {
  it('X-Forwarded-For over HTTPS is trusted only with HTTPS_TRUST_PROXY, and TRUST_PROXY applies only to HTTP', async () => {
    expect(trustedProxies(readConfig({ TRUST_PROXY: '1' }))).toEqual({ http: 1, https: 0 })
    expect(trustedProxies(readConfig({ TRUST_PROXY: '10.0.0.0/8', HTTPS_TRUST_PROXY: '2' }))).toEqual({
      http: ['10.0.0.0/8'],
      https: 2,
    })
  })

  it('a proxy that speaks the PROXY protocol is not counted among the trusted proxies for X-Forwarded-For', () => {
    expect(trustedProxies(readConfig({ TRUST_PROXY: '2', PROXY_PROTOCOL: '1' }))).toEqual({
      http: 1,
      https: 0,
    })
    expect(trustedProxies(readConfig({ TRUST_PROXY: '1', PROXY_PROTOCOL: 'https' }))).toEqual({
      http: 1,
      https: 0,
    })
  })

  it.each(['2', 'yes', 'HTTP'])('PROXY_PROTOCOL=%s is refused with the allowed values', value => {
    expect(() => readConfig({ PROXY_PROTOCOL: value })).toThrow('PROXY_PROTOCOL must be 0, 1, http or https.')
  })
})
