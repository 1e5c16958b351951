import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { reservedNetworks } from '../../src/hosting/addresses.ts'
import { parseNetwork } from '../../src/tools/networks.ts'
import { openOutgoing } from '../../src/tools/outgoing.ts'
import { findProgram } from '../support/programs.ts'

const never = new AbortController().signal
const loopback = parseNetwork('127.0.0.0/8')

/** Starts a server that calls `answer` with each connection. Returns its port and the connections. */
async function startServer(answer: (socket: Socket) => void) {
  const connections: Socket[] = []
  const server = createServer(socket => {
    connections.push(socket)
    socket.on('error', () => {})
    answer(socket)
  })
  server.listen(0)
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of connections) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, connections }
}

function post(url: string, allowed: NonNullable<typeof loopback>[] = []) {
  const outgoing = openOutgoing(reservedNetworks, allowed)
  onTestFinished(() => outgoing.close())
  return outgoing.post(new URL(url), {}, '{}', never)
}

const postHere = (port: number) => post(`http://127.0.0.1:${port}/`, loopback ? [loopback] : [])

test.each(
  ['http', 'https'].flatMap(scheme =>
    ['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]'].map(host => [`${scheme}://${host}`]),
  ),
)('nothing connects to %s, whose address is private', async url => {
  const { port, connections } = await startServer(() => {})

  const { status, problem } = await post(`${url}:${port}/`)

  expect({ status, problem }).toEqual({ status: null, problem: 'it leads to an address that is not public' })
  expect(connections).toEqual([])
})

/** Sends the text again and again, until the connection is closed. */
function flood(socket: Socket, text: string): void {
  const many = text.repeat(100)
  const send = () => {
    while (!socket.destroyed && socket.write(many));
  }
  socket.on('drain', send)
  send()
}

test.each([
  ['interim answers', 'HTTP/1.1 103 Early Hints\r\n\r\n', '', null],
  ['chunks of one byte', '1\r\na\r\n', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', 200],
])('an endpoint that answers with endless %s is left soon', async (_what, text, beginning, status) => {
  const { port, connections } = await startServer(socket => {
    socket.once('data', () => {
      socket.write(beginning)
      flood(socket, text)
    })
  })

  const answer = await postHere(port)
  await Promise.all(
    connections.map(socket => socket.destroyed || new Promise(done => socket.on('close', done))),
  )

  expect(answer.status).toBe(status)
  expect(answer.problem).toBe(status === null ? 'its answer came in too many pieces' : null)
})

test.runIf(findProgram('openssl'))(
  'a certificate for many other names is a problem of one short sentence',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-tls-'))
    const [key, cert] = ['key.pem', 'cert.pem'].map(name => join(folder, name)) as [string, string]
    const names = Array.from({ length: 50 }, (_, n) => `DNS:a-customer-of-the-network-${n}.example`)
    const options = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      key,
      '-out',
      cert,
    ]
    const subject = ['-subj', '/CN=network', '-addext', `subjectAltName=${names}`]
    execFileSync('openssl', ['req', '-x509', ...options, ...subject], { stdio: 'pipe' })
    const trusted = getCACertificates()
    setDefaultCACertificates([...trusted, readFileSync(cert, 'utf8')])
    const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      setDefaultCACertificates(trusted)
      server.close()
      rmSync(folder, { recursive: true })
    })

    const { port } = server.address() as AddressInfo
    const { problem } = await post(`https://127.0.0.1:${port}/`, loopback ? [loopback] : [])

    expect(problem).toBe('its certificate is for other names')
  },
)

test('redirects are not followed, and the first kilobyte of an answer is returned', async () => {
  const other = await startServer(socket => socket.end())
  const text = 'a'.repeat(2_000)
  for (const status of [301, 302, 303, 307, 308]) {
    const location = `Location: http://127.0.0.1:${other.port}/\r\nContent-Length: ${text.length}`
    const { port } = await startServer(socket =>
      socket.write(`HTTP/1.1 ${status} Moved\r\n${location}\r\n\r\n${text}`),
    )

    expect(await postHere(port)).toMatchObject({ status, excerpt: 'a'.repeat(1_024), problem: null })
  }
  expect(other.connections).toEqual([])
})

test('an endpoint that does not answer is left after 15 s', async () => {
  const { timeout } = AbortSignal
  const waits: number[] = []
  onTestFinished(() => void vi.restoreAllMocks())
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(ms => {
    waits.push(ms)
    return timeout.call(AbortSignal, 50)
  })
  const { port } = await startServer(() => {})

  expect(await postHere(port)).toMatchObject({ status: null, problem: 'no answer within 15 s' })
  expect(waits).toEqual([15_000])
})
