import { once } from 'node:events'
import { Agent, type IncomingMessage, type RequestListener, request } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectSecurely } from 'node:tls'
import type { Counts, Place } from './place.ts'

export type Shot = {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
  key?: string
  /** True if the answer shall stay unread. */
  unread?: boolean
}

/**
 * An attacker sends no further request while this many requests are open, because a further request would only wait in
 * the attacker for a free connection.
 */
const mostInFlight = 300
const tickMs = 20

export type Hand = ReturnType<typeof openHand>

/** The actions that an attack can take. All of them use one address, and end with the attack. */
export function openHand(place: Place, signal: AbortSignal) {
  const counts: Counts = {}
  const sockets = new Set<Socket>()
  const agent = new Agent({ keepAlive: true, maxSockets: 100 })
  const note = (status: number) => {
    counts[status] = (counts[status] ?? 0) + 1
  }
  let turn = 0
  const nextUrl = () => place.urls[turn++ % place.urls.length] ?? ''
  const goesOn = () => !signal.aborted

  /** Resolves with the answer's text, or '' without an answer. */
  function send(shot: Shot, from = place.address): Promise<string> {
    const { method = shot.body ? 'POST' : 'GET', path, headers, body, key, unread } = shot
    const sent = {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
      ...headers,
    }
    return new Promise(resolve => {
      const fail = () => {
        if (goesOn()) note(0)
        resolve('')
      }
      const outgoing = request(nextUrl() + path, { method, agent, headers: sent, localAddress: from, signal })
      outgoing.on('error', fail)
      outgoing.on('response', (response: IncomingMessage) => {
        note(response.statusCode ?? 0)
        if (unread) return
        let text = ''
        response.setEncoding('utf8').on('data', chunk => {
          text += chunk
        })
        response.on('end', () => resolve(text)).on('error', fail)
      })
      outgoing.end(body)
    })
  }

  /** Sends requests at a constant rate, even if earlier requests are not answered. */
  async function flood(
    perSecond: number,
    shotOf: (i: number) => Shot,
    from?: (i: number) => string,
  ): Promise<void> {
    let [due, inFlight, i] = [0, 0, 0]
    while (goesOn()) {
      for (due += (perSecond * tickMs) / 1000; due >= 1; due--) {
        if (inFlight >= mostInFlight) continue
        inFlight++
        send(shotOf(i), from?.(i)).finally(() => inFlight--)
        i++
      }
      await pause(tickMs)
    }
  }

  /** Keeps this many requests open. */
  const atOnce = (count: number, shotOf: (i: number) => Shot) =>
    Promise.all(
      Array.from({ length: count }, async (_, i) => {
        for (let n = i; goesOn(); n += count) {
          await send(shotOf(n))
          await pause(5)
        }
      }),
    )

  function open(port: number, host = '127.0.0.1'): Socket {
    return follow(connect({ port, host, localAddress: place.address }))
  }

  function follow<Kind extends Socket>(socket: Kind): Kind {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      if (goesOn()) note(0)
    })
    return socket
  }

  /**
   * Opens up to `most` connections at a constant rate, and sends these bytes first on each. With `unread`, reads
   * nothing.
   */
  async function connections(
    most: number,
    bytes: string,
    { unread = false, secure = false, drip = '' } = {},
  ): Promise<void> {
    const ports = secure ? place.httpsPorts : place.urls.map(url => Number(new URL(url).port))
    for (let i = 0; i < most && goesOn(); i++) {
      const socket = open(ports[i % ports.length] ?? 0)
      if (unread) socket.pause()
      else socket.resume()
      socket.write(bytes)
      if (i % 10 === 9) await pause(tickMs)
    }
    while (goesOn()) {
      if (drip) for (const socket of sockets) socket.write(drip)
      await pause(200)
    }
  }

  /** Makes full TLS handshakes for a name at a constant rate. */
  async function handshakes(perSecond: number, nameOf: (i: number) => string): Promise<void> {
    for (let i = 0; goesOn(); i++) {
      const port = place.httpsPorts[i % place.httpsPorts.length] ?? 0
      const raw = open(port)
      const socket = connectSecurely({ socket: raw, servername: nameOf(i), rejectUnauthorized: false })
      socket.on('secureConnect', () => {
        note(200)
        socket.destroy()
      })
      socket.on('error', () => raw.destroy())
      await pause(1000 / perSecond)
    }
  }

  /** Starts a receiver of webhooks and returns its URL. */
  async function receive(listener: RequestListener): Promise<string> {
    const server = createServer(place.receiver, (request, response) => {
      note(200)
      request.resume()
      listener(request, response)
    })
    server.on('secureConnection', follow).on('tlsClientError', () => {})
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  const graphql = (key: string, query: string, variables: object = {}): Shot => ({
    path: '/graphql',
    key,
    body: JSON.stringify({ query, variables }),
  })

  return {
    ...{ place, keys: place.keys, counts, goesOn, send, flood, atOnce, connections, handshakes },
    ...{ receive, graphql },
    close() {
      agent.destroy()
      for (const socket of sockets) socket.destroy()
    },
  }
}
