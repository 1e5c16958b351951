import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer, type Server as HttpsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectSecurely } from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { expectProxyHeaders } from '../../src/http/proxy-protocol.ts'
import { serve, serverOptions } from '../../src/http/server.ts'
import { makeListenerCertificate } from '../support/pebble.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
const folder = mkdtempSync(join(tmpdir(), 'animal-store-tls-'))
beforeAll(async () => {
  app = await startApp()
  await makeListenerCertificate(folder)
})
afterAll(async () => {
  await app.stop()
  rmSync(folder, { recursive: true })
})

let server: Server | HttpsServer
let port: number
let read: number
let held: ServerResponse[]
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.closeAllConnections()
  server.close()
})

type Protocol = 'HTTP' | 'HTTPS'

/**
 * Answers with the length of the body. At /held, writes the beginning of an answer and waits. At /headless, waits
 * before it writes the head.
 */
const listener: RequestListener = (request, response) => {
  if (request.url === '/held') response.write('begun ')
  if (request.url !== '/') return void held.push(response)
  let length = 0
  request.on('data', piece => {
    length += piece.length
  })
  request.on('end', () => response.end(`whole ${length}`))
}

async function listen(
  protocol: Protocol = 'HTTP',
  { trusted = 0, isProxied = false }: { trusted?: number; isProxied?: boolean } = {},
): Promise<void> {
  const [key, cert] = ['key.pem', 'cert.pem'].map(file => readFileSync(join(folder, file)))
  // Without time limits, which could close connections on a slow machine.
  const options = { ...serverOptions, headersTimeout: 0, requestTimeout: 0 }
  const made = protocol === 'HTTP' ? createServer(options) : createSecureServer({ ...options, key, cert })
  server = serve(app.tools, made, listener, trusted)
  if (isProxied) expectProxyHeaders(server, app.tools.log)
  read = 0
  held = []
  server.on('request', () => read++)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  port = (server.address() as AddressInfo).port
}

const request = (path = '/') => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`
const many = request().repeat(100)
const half = 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 6\r\n\r\nabc'

type Client = { socket: Socket; text(): string; closed: Promise<void> }

function follow(socket: Socket, first: string): Client {
  sockets.push(socket.on('error', () => {}))
  let text = ''
  socket.on('data', piece => {
    text += piece
  })
  socket.write(first)
  return { socket, text: () => text, closed: new Promise(resolve => socket.once('close', () => resolve())) }
}

function open(first: string, protocol: Protocol = 'HTTP', localAddress = '127.0.0.1'): Client {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  if (protocol === 'HTTP') return follow(socket, first)
  sockets.push(socket.on('error', () => {}))
  return follow(connectSecurely({ socket, rejectUnauthorized: false }), first)
}

/** Opens a connection whose first request is answered. */
async function openAnswered(header = '', localAddress?: string): Promise<Client> {
  const client = open(header + request(), 'HTTP', localAddress)
  await expect.poll(client.text).toContain('whole')
  return client
}

/** Pipelines too much on an open connection of 127.0.0.1. */
async function offend(header?: string): Promise<void> {
  const offender = await openAnswered(header)
  offender.socket.write(many)
  await offender.closed
}

/** Resolves with false if the connection is closed without a further answer. */
function nextAnswer({ socket, closed }: Client): Promise<boolean> {
  const answered = new Promise<boolean>(resolve => socket.once('data', () => resolve(true)))
  return Promise.race([answered, closed.then(() => false)])
}

function isAnswered(client: Client): Promise<boolean> {
  client.socket.write(request())
  return nextAnswer(client)
}

it.each<[Protocol, string]>([
  ['HTTP', '/'],
  ['HTTP', '/headless'],
  ['HTTP', '/held'],
  ['HTTPS', '/'],
  ['HTTPS', '/headless'],
  ['HTTPS', '/held'],
])(
  'of an address whose open connections pipeline too much, only one connection is read: %s %s',
  async (protocol, path) => {
    await listen(protocol)
    const clients = Array.from({ length: 10 }, () => open(request(path), protocol))
    if (path === '/') for (const client of clients) await expect.poll(client.text).toContain('whole')
    else await expect.poll(() => held.length).toBe(10)
    read = 0

    for (const { socket } of clients) socket.write(many)

    await expect.poll(() => read).toBeGreaterThan(10)
    for (const response of held) response.end()
    for (const { closed } of clients) await closed
    expect(read).toBeLessThanOrEqual(100)
  },
)

it.each(['/headless', '/held'])(
  'an answer under way is completed even if the address of its client pipelines too much, and then the connection closes: %s',
  async path => {
    await listen()
    const neighbour = open(request(path))
    await expect.poll(() => held.length).toBe(1)

    await offend()
    held[0]?.end('and whole')

    await neighbour.closed
    expect(neighbour.text()).toContain('and whole')
    expect(neighbour.text().includes('Connection: close')).toBe(path === '/headless')
  },
)

it('a body that is arriving is read and answered even if the address of its client pipelines too much on another connection', async () => {
  await listen()
  const neighbour = open(half)
  await expect.poll(() => read).toBe(1)

  await offend()
  neighbour.socket.write('def')

  await neighbour.closed
  expect(neighbour.text()).toContain('whole 6')
})

it('bodies that are arriving from an address that pipelines too much are read at the limited pace of that address', async () => {
  await listen()
  const neighbours = Array.from({ length: 40 }, () => open(half))
  await expect.poll(() => read).toBe(40)

  await offend()
  for (const { socket } of neighbours) socket.write('def')

  for (const { closed } of neighbours) await closed
  const answered = neighbours.filter(({ text }) => text().includes('whole 6')).length
  expect(answered).toBeGreaterThan(5)
  expect(answered).toBeLessThan(40)
})

it('idle connections of an address that pipelines too much are closed, and those of other addresses stay open', async () => {
  await listen()
  const [neighbour, other] = [await openAnswered(), await openAnswered('', '127.0.0.2')]

  await offend()

  await neighbour.closed
  expect(await isAnswered(other)).toBe(true)
})

it('idle connections of an IPv6 network that pipelines too much are closed, and those of other networks stay open', async () => {
  await listen('HTTP', { isProxied: true })
  const from = (address: string) => `PROXY TCP6 ${address} 2001:db8::1 8080 80\r\n`
  const neighbour = await openAnswered(from('2001:db8::7'))
  const other = await openAnswered(from('2001:db8:0:1::7'))

  await offend(from('2001:db8::8'))

  await neighbour.closed
  expect(await isAnswered(other)).toBe(true)
})

it('the connections of a trusted proxy stay open when one of them pipelines too much', async () => {
  await listen('HTTP', { trusted: 1 })
  const other = await openAnswered()

  await offend()

  expect(await isAnswered(other)).toBe(true)
})

it('connections that are still in the TLS handshake are delayed if their address has pipelined too much', async () => {
  await listen('HTTPS')
  const raw = Array.from({ length: 40 }, () => connect({ port, host: '127.0.0.1' }))
  for (const socket of raw) sockets.push(socket.on('error', () => {}))
  await Promise.all(raw.map(socket => once(socket, 'connect')))
  const offender = open(request().repeat(100), 'HTTPS')
  await offender.closed

  const clients = raw.map(socket => follow(connectSecurely({ socket, rejectUnauthorized: false }), request()))
  const answers = await Promise.all(clients.map(nextAnswer))

  expect(answers).toContain(false)
  expect(answers.filter(Boolean).length).toBeGreaterThan(5)
})
