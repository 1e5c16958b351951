import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'

/** After the listener is closed, how long an idle connection may take to send one more request. */
const idleMs = 1_000
/** After that, how long a client may go on sending its request or waiting for its answer. */
const sendingMs = 1_500
const quietTurnMs = 0.2
const quietMs = 20
const busiestMs = 500

/** Stops servers without losing a request, although clients keep their connections open and balancers poll rarely. */
export type Drain = {
  isEnding(): boolean
  /**
   * Null before the drain. From then on every answer closes its connection and waits for this promise, which resolves
   * when the listener is closed.
   */
  doorShut(): Promise<void> | null
  end(servers: Server[], serveOnMs: number): Promise<void>
}

export function makeDrain(): Drain {
  let isEnding = false
  let shut: Promise<void> | null = null
  return {
    isEnding: () => isEnding,
    doorShut: () => shut,
    async end(servers, serveOnMs) {
      isEnding = true
      await wait(serveOnMs)
      const door = Promise.withResolvers<void>()
      shut = door.promise
      await untilNobodyKnocks()
      const closed = Promise.all(servers.map(shutDoor))
      door.resolve()
      await Promise.race([closed, wait(serveOnMs > 0 ? idleMs : 0)])
      // An HTTP server's `close` ends only the idle connections.
      for (const server of servers) server.close()
      await Promise.race([closed, wait(sendingMs)])
      for (const server of servers) server.closeAllConnections()
    },
  }
}

/** Calls the `close` of net, since that of http would at once end every idle connection. */
function shutDoor(server: Server): Promise<void> {
  return new Promise(resolve => NetServer.prototype.close.call(server, () => resolve()))
}

/**
 * Waits until the operating system holds no more accepted connections: those that node has not seen yet are cut when
 * the listener closes. Some turns of the event loop with no work show that none are left. The wait is short, since no
 * request starts during it; under constant load fewer and fewer such turns are enough.
 */
async function untilNobodyKnocks(): Promise<void> {
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
