import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'

/** With the door shut a connection that is kept open gets so long to bring one more request ... */
const idleMs = 1_000
/** ... and whoever is still sending, or waits for an answer, so long after that. */
const sendingMs = 1_500
const quietTurnMs = 0.2
const quietMs = 20
const busiestMs = 500

/** Ends servers so that no request is lost, though clients keep their connections open and balancers look seldom. */
export type Drain = {
  isEnding(): boolean
  /** From then on each answer ends its connection, and is begun when the door is shut; null before. */
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
      // Of http it ends what is idle.
      for (const server of servers) server.close()
      await Promise.race([closed, wait(sendingMs)])
      for (const server of servers) server.closeAllConnections()
    },
  }
}

/** As net has it, for http would end each connection at once that brings no request just now. */
function shutDoor(server: Server): Promise<void> {
  return new Promise(resolve => NetServer.prototype.close.call(server, () => resolve()))
}

/**
 * Whom the operating system has let in and node has not is cut when the door shuts. Some turns of the event loop that
 * find nothing to do show that nobody comes: soon, since meanwhile no request is begun. Where many come all the time,
 * fewer and fewer such turns have to be enough.
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
