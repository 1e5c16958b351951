import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../support/command-line.ts'
import { standIn } from '../support/stand-in.ts'

const nowhere = 'http://127.0.0.1:1'
const list = (env: Record<string, string>) =>
  runCommand({ ANIMAL_STORE_KEY: 'as_key', ...env }, ['pets', 'list'])

/** Starts a proxy that answers requests in the place of a store, but opens no tunnels. */
async function startProxy() {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    response.setHeader('content-type', 'application/json').end('[]')
  })
  server.on('connect', ({ method, url }, socket) => {
    requests.push(`${method} ${url}`)
    socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

describe('a command behind a proxy', () => {
  it.each(['HTTP_PROXY', 'http_proxy'])(
    'a command sends its requests through the proxy of %s',
    async name => {
      const proxy = await startProxy()

      const { exitCode } = await list({ [name]: proxy.url, ANIMAL_STORE_URL: 'http://store.test' })

      expect([exitCode, proxy.requests]).toEqual([0, ['GET http://store.test/v1/pets?limit=20&sort=id']])
    },
  )

  it('a command asks the proxy of HTTPS_PROXY for a tunnel to an https service', async () => {
    const proxy = await startProxy()
    const env = { HTTPS_PROXY: proxy.url, ANIMAL_STORE_URL: 'https://store.test', ANIMAL_STORE_KEY: 'as_key' }

    const { exitCode } = await runCommand(env, ['limits'])

    expect([exitCode, proxy.requests]).toEqual([1, ['CONNECT store.test:443']])
  })

  it.each([
    ['this machine', {}],
    ['this machine beside the hosts of NO_PROXY', { NO_PROXY: 'store.test' }],
    ['every host if NO_PROXY is *', { NO_PROXY: '*' }],
    ['this machine if no proxy is set', { HTTP_PROXY: '' }],
  ])('a command connects directly to %s', async (_, env: Record<string, string>) => {
    const store = await standIn((_request, response) => {
      response.setHeader('content-type', 'application/json').end('[]')
    })

    for (const url of [store, store.replace('127.0.0.1', 'localhost')])
      expect((await list({ HTTP_PROXY: nowhere, ANIMAL_STORE_URL: url, ...env })).exitCode).toBe(0)
  })

  it.each(['me:hush@proxy', '%'])(
    'an invalid address of a proxy is refused, and the message does not contain the address: %s',
    async address => {
      const ended = await list({ HTTPS_PROXY: address, ANIMAL_STORE_URL: 'https://store.test' })

      expect(ended).toEqual({
        ...{ exitCode: 2, output: '' },
        errors: 'HTTPS_PROXY and HTTP_PROXY must be addresses, such as http://proxy.example:3128.\n',
      })
    },
  )
})
