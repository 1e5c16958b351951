import { connect, createServer, type Socket } from 'node:net'
import { freePort } from './programs.ts'

/** When to cut a connection: before the server sees the request, after its answer, or within the answer. */
export type Cut = 'unheard' | 'unanswered' | 'half-answered'

export type SentRequest = { head: string; at: number }

/** Forwards traffic between clients and a server, records the requests, and cuts connections on command. */
export type CuttingProxy = {
  url: string
  /** All requests in order, including those that were cut. */
  requests: SentRequest[]
  /** Cuts the connections of the next requests, one entry for each request. */
  cutNext(...cuts: Cut[]): void
  stop(): void
}

export async function startCuttingProxy(serverUrl: string): Promise<CuttingProxy> {
  const port = await freePort()
  const open = new Set<Socket>()
  const requests: SentRequest[] = []
  const planned: Cut[] = []
  const server = createServer(client => {
    const upstream = connect(Number(new URL(serverUrl).port), '127.0.0.1')
    let cut: Cut | undefined
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        end()
      })
    }
    client.on('data', data => {
      const text = data.toString('latin1')
      if (/^[A-Z]+ \S+ HTTP\/1\.1\r\n/.test(text)) {
        requests.push({ head: text.split('\r\n\r\n')[0] ?? '', at: performance.now() })
        cut = planned.shift()
      }
      if (cut === 'unheard') end()
      else upstream.write(data)
    })
    upstream.on('data', (data: Buffer) => {
      if (cut === undefined) return void client.write(data)
      if (cut === 'unanswered') return end()
      client.write(data.subarray(0, data.length - 10), end)
    })
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    cutNext: (...cuts) => planned.push(...cuts),
    stop() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
