import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { RequestHandler } from 'express'
import { addHeader } from './headers.ts'

const farewellMs = 1_500

/** Ends a server so that no request is lost, though its clients keep their connections open. */
export type Drain = { sayFarewell: RequestHandler; end(server: Server): Promise<void>; isEnding(): boolean }

export function makeDrain(): Drain {
  let ending = false
  return {
    isEnding: () => ending,
    sayFarewell(_request, response, next) {
      if (ending) addHeader(response, 'Connection', 'close')
      next()
    },
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
