import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'

/** After the listener has closed, an idle connection may take this long to send one more request. */
const idleMs = 1_000
/** After `idleMs`, a client may take this long to finish its request and get its answer. */
const sendingMs = 1_500
const quietTurnMs = 0.2
const quietMs = 20
const busiestMs = 500

/** Stops servers without losing a request, although clients keep connections open and balancers notice late. */
export type Drain = {
  isEnding(): boolean
  /**
   * Null before the drain. During the drain, a promise that resolves when the listener is closed. From then on, each
   * answer closes its connection.
   */
  listenerClosed(): Promise<void> | null
  end(servers: Server[], serveOnMs: number): Promise<void>
  /**
   * Closes the servers like `end`, but the readiness probe continues to report ready, because another process already
   * serves the same ports.
   */
  handOver(servers: Server[], idleMs: number): Promise<void>
}

export function makeDrain(): Drain {
  let isEnding = false
  let listenerClosed: Promise<void> | null = null

  async function close(servers: Server[], idleMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    listenerClosed = promise
    await untilAllAccepted()
    const closed = Promise.all(servers.map(stopListening))
    resolve()
    await Promise.race([closed, wait(idleMs)])
    // End the idle connections now: an HTTP server's `close` leaves connections open while a request is in progress.
    // The clients of these connections get `sendingMs` to finish.
    for (const server of servers) server.close()
    await Promise.race([closed, wait(sendingMs)])
    for (const server of servers) server.closeAllConnections()
  }

  return {
    isEnding: () => isEnding,
    listenerClosed: () => listenerClosed,
    async end(servers, serveOnMs) {
      isEnding = true
      await wait(serveOnMs)
      await close(servers, serveOnMs > 0 ? idleMs : 0)
    },
    handOver: close,
  }
}

/** Stops listening. Calls net's `close`, because http's would at once end every idle connection. */
function stopListening(server: Server): Promise<void> {
  return new Promise(resolve => NetServer.prototype.close.call(server, () => resolve()))
}

/**
 * Waits until Node.js has taken over every connection that the operating system has accepted, because closing the
 * listener would cut the connections that Node.js has not taken over. After several turns of the event loop with no
 * work, no such connection is left. The wait is short, because no request starts during the wait. The longer the wait
 * has lasted, the fewer idle turns are required.
 */
async function untilAllAccepted(): Promise<void> {
  const giveUpAt = performance.now() + busiestMs
  let quietSince = performance.now()
  for (let began = quietSince; began < giveUpAt; ) {
    await nextTurn()
    const now = performance.now()
    if (now - began > quietTurnMs) quietSince = now
    if (now - quietSince > (quietMs * (giveUpAt - now)) / busiestMs) return
    began = now
  }
}
