import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await app.stop()
})

async function open(localAddress = '127.0.0.1', first = ''): Promise<Socket> {
  const socket = connect({ port: Number(new URL(app.url).port), host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  socket.write(first)
  return socket
}

/** Returns the answer's status line; null if the connection closes without one. */
async function ask(socket: Socket): Promise<string | null> {
  socket.write('GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n')
  return new Promise(resolve => {
    socket.once('data', data => resolve(data.toString().split('\r\n')[0] ?? ''))
    socket.once('close', () => resolve(null))
  })
}

const ok = 'HTTP/1.1 200 OK'

it('an IP address with the maximum number of connections gets no further connection, and another address still gets one', async () => {
  app = await startApp({ env: { CONNECTIONS_PER_ADDRESS: '3' } })
  const [first] = [await open(), await open(), await open()]

  expect(await ask(await open())).toBe(null)
  expect(await ask(await open('127.0.0.2'))).toBe(ok)

  first?.destroy()
  await expect.poll(async () => ask(await open())).toBe(ok)
})

it.each(['1', '127.0.0.0/8'])(
  'connections from a trusted proxy are not limited: TRUST_PROXY=%s',
  async proxies => {
    app = await startApp({ env: { CONNECTIONS_PER_ADDRESS: '2', TRUST_PROXY: proxies } })
    await Promise.all([open(), open(), open()])

    expect(await ask(await open())).toBe(ok)
  },
)

it('connections from a proxy that is not trusted are limited', async () => {
  app = await startApp({ env: { CONNECTIONS_PER_ADDRESS: '2', TRUST_PROXY: '127.0.0.7' } })
  await Promise.all([open(), open()])

  expect(await ask(await open())).toBe(null)
  await Promise.all([open('127.0.0.7'), open('127.0.0.7')])
  expect(await ask(await open('127.0.0.7'))).toBe(ok)
})

it('with the PROXY protocol, the limit of connections applies to the address of each client and not to the address of the balancer', async () => {
  app = await startApp({ env: { CONNECTIONS_PER_ADDRESS: '2', TRUST_PROXY: '1', PROXY_PROTOCOL: '1' } })
  const from = (address: string) => `PROXY TCP4 ${address} 10.0.0.1 8080 80\r\n`
  const opened = [await open(undefined, from('192.0.2.7')), await open(undefined, from('192.0.2.7'))]
  for (const socket of opened) expect(await ask(socket)).toBe(ok)

  expect(await ask(await open(undefined, from('192.0.2.7')))).toBe(null)
  expect(await ask(await open(undefined, from('192.0.2.8')))).toBe(ok)
})

it('connections of a trusted proxy with an IPv6 address are not limited', async () => {
  app = await startApp({
    env: { CONNECTIONS_PER_ADDRESS: '2', TRUST_PROXY: '2001:db8::/32', PROXY_PROTOCOL: '1' },
  })
  const from = (address: string) => `PROXY TCP6 ${address} 2001:db8::1 8080 80\r\n`
  for (const address of ['2001:db8::7', '2001:db9::7'])
    for (let i = 0; i < 2; i++) expect(await ask(await open(undefined, from(address)))).toBe(ok)

  expect(await ask(await open(undefined, from('2001:db8::7')))).toBe(ok)
  expect(await ask(await open(undefined, from('2001:db9::7')))).toBe(null)
})

it('the metrics count refused connections', async () => {
  app = await startApp({ env: { CONNECTIONS_PER_ADDRESS: '1' } })
  await open()

  expect(await ask(await open())).toBe(null)

  expect(app.tools.metrics.text()).toContain('animal_store_connections_refused_total 1')
})

it('CONNECTIONS_PER_ADDRESS is 1,000 by default and must be a whole number', async () => {
  app = await startApp()

  expect(readConfig({}).connectionsPerAddress).toBe(1_000)
  expect(() => readConfig({ CONNECTIONS_PER_ADDRESS: '0' })).toThrow(
    'CONNECTIONS_PER_ADDRESS must be a whole number above 0.',
  )
})
