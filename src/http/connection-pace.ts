import type { Server } from 'node:http'
import { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { Tools } from '../tools.ts'
import { networkOf } from './network.ts'
import { trackOpenSockets } from './open-sockets.ts'
import { mostWaiting, readOn, stopReading, type Turns } from './turns.ts'

/** In milliseconds, as all times here. */
const rememberedMs = 10_000
const gapMs = 250
const longestWaitMs = 2_500
const mostAddresses = 10_000
/**
 * The events by which a waiting connection reports that the client is gone. Without a listener, an `error` event would
 * end the process, and an `end` event would be missed.
 */
const gone = ['error', 'end'] as const

/**
 * Slows down an address whose connection was closed because it pipelined too many requests: for ten seconds it begins
 * at most four connections a second, and its other open connections are closed when their answers are sent. Node.js
 * reads 64 KB of pipelined requests at once, which can take 30 ms, before anything can refuse them.
 */
export function paceConnections(
  { metrics }: Pick<Tools, 'metrics'>,
  server: Server | HttpsServer,
  isTrusted: (address: string | undefined) => boolean,
  turns: Turns,
): { slowDown(socket: Socket): void } {
  /**
   * For each slowed-down address: the time at which the slowing ends (`until`), and the earliest time of its next
   * connection (`nextAt`).
   */
  const slow = new Map<string, { until: number; nextAt: number }>()
  /** Connections that have begun, by address. */
  const begun = trackOpenSockets()
  const beginning = server instanceof HttpsServer ? 'secureConnection' : 'connection'
  const begin = server.listeners(beginning)

  server.removeAllListeners(beginning)
  server.on(beginning, async (socket: Socket) => {
    const drop = () => socket.destroy()
    for (const event of gone) socket.on(event, drop)
    await untilOthersWereRead()
    if (!socket.destroyed) await untilTurn(socket)
    for (const event of gone) socket.off(event, drop)
    if (socket.destroyed) return
    cutPipelined(socket)
    if (!isTrusted(socket.remoteAddress)) begun.add(networkOf(socket.remoteAddress), socket)
    for (const listener of begin) listener.call(server, socket)
  })

  /**
   * Waits until the address may begin one more connection. Closes the connection instead if the wait would be too long.
   */
  async function untilTurn(socket: Socket): Promise<void> {
    const waitMs = reserveConnection(networkOf(socket.remoteAddress))
    if (waitMs > longestWaitMs) {
      metrics.countRefusedConnection()
      socket.destroy()
    } else if (waitMs > 0) await pause(waitMs)
  }

  /** Returns how long a new connection of an address has to wait. */
  function reserveConnection(address: string): number {
    const pace = slow.get(address)
    if (!pace) return 0
    const now = performance.now()
    if (now > pace.until) {
      slow.delete(address)
      return 0
    }
    const beginsAt = Math.max(now, pace.nextAt)
    if (beginsAt - now <= longestWaitMs) pace.nextAt = beginsAt + gapMs
    return beginsAt - now
  }

  function slowDown(socket: Socket): void {
    if (isTrusted(socket.remoteAddress)) return
    const address = networkOf(socket.remoteAddress)
    const now = performance.now()
    const nextAt = slow.get(address)?.nextAt ?? 0
    slow.delete(address)
    slow.set(address, { until: now + rememberedMs, nextAt: Math.max(now + gapMs, nextAt) })
    const [oldest] = slow.keys()
    if (slow.size > mostAddresses && oldest !== undefined) slow.delete(oldest)
    // Close the other connections of the address at once. Otherwise Node.js would read from these connections in the
    // same turn of the event loop, and they too may carry too many pipelined requests.
    for (const other of begun.of(address)) if (other !== socket && turns.close(other)) readInTurn(other)
  }

  async function readInTurn(socket: Socket): Promise<void> {
    stopReading(socket)
    await untilTurn(socket)
    readOn(socket)
  }

  return { slowDown }
}

/**
 * Cuts the excess pipelined requests from the first bytes of a connection, before Node.js parses these requests. The
 * service would drop the excess requests anyway, but only after the parsing. The function counts only requests without
 * a body, and leaves all bytes as they are when it meets a request that may have a body.
 */
function cutPipelined(socket: Socket): void {
  const bytes: Buffer | null = socket.read()
  if (bytes) socket.unshift(bytes.subarray(0, endOfWaiting(bytes)))
}

function endOfWaiting(bytes: Buffer): number {
  let end = 0
  for (let requests = 0; requests <= mostWaiting; requests++) {
    const next = bytes.indexOf('\r\n\r\n', end)
    if (next < 0 || mayHaveBody(bytes.toString('latin1', end, next))) return bytes.length
    end = next + 4
  }
  return end
}

const mayHaveBody = (head: string): boolean =>
  !/^(GET|HEAD|OPTIONS) /.test(head) || /content-length|transfer-encoding/i.test(head)

/**
 * Waits two turns of the event loop, because the first bytes of a connection arrive one turn after the connection
 * itself. If several connections arrive together, this wait lets Node.js read the first connection before the second
 * one begins. So the second connection is slowed down if the first one pipelined too many requests.
 */
async function untilOthersWereRead(): Promise<void> {
  await turn()
  await turn()
}
