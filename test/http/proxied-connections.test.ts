import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { expectProxyHeaders } from '../../src/http/proxy-protocol.ts'
import { openLog } from '../../src/tools/log.ts'
import { openRawConnection } from '../support/raw-connection.ts'

const log = openLog('silent')
let url: string
let server: ReturnType<typeof createServer>
beforeEach(async () => {
  server = createServer(({ socket }, response) => response.end(socket.remoteAddress))
  expectProxyHeaders(server, log)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  vi.restoreAllMocks()
  server.closeAllConnections()
  server.close()
})

const header = 'PROXY TCP4 192.0.2.7 10.0.0.1 8080 443\r\n'
const request = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'

it('several connections without a PROXY header cause only one log line', async () => {
  const warnings = vi.spyOn(log, 'warn')

  for (let n = 0; n < 3; n++) {
    const { socket, answers } = await openRawConnection(url)
    socket.write(request)
    expect(await answers()).toEqual([])
  }

  expect(warnings.mock.calls).toEqual([
    [
      'A connection from 127.0.0.1 began without a header of the PROXY protocol, which PROXY_PROTOCOL requires, and was closed',
    ],
  ])
})

it('a connection has three seconds to send its PROXY header, unless its client leaves first', async () => {
  const begun = vi.spyOn(globalThis, 'setTimeout')
  const ended = vi.spyOn(globalThis, 'clearTimeout')
  const patience = () => begun.mock.results.filter((_, i) => begun.mock.calls[i]?.[1] === 3_000)
  const isOver = () => patience().map(({ value }) => ended.mock.calls.flat().includes(value))
  const proxied = await openRawConnection(url)
  proxied.socket.write(header + request)
  await proxied.answers(1)
  const silent = await openRawConnection(url)
  await expect.poll(patience).toHaveLength(2)

  expect(isOver()).toEqual([true, false])
  silent.socket.destroy()
  await expect.poll(isOver).toEqual([true, true])
  proxied.socket.destroy()
})
