import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

const farewellMs = 1_500

/** Ends a server so that no request is lost, though its clients keep their connections open. */
export type Drain = { end(server: Server): Promise<void>; isEnding(): boolean }

export function makeDrain(): Drain {
  let ending = false
  return {
    isEnding: () => ending,
    async end(server) {
      // For a moment each answer asks its client to come back on another connection; only then is the door shut.
      ending = true
      const open = await promisify(server.getConnections.bind(server))()
      if (open > 0) await wait(farewellMs)
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeIdleConnections()
      await closed
    },
  }
}
