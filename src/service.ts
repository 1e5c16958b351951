import { once } from 'node:events'
import type { Server } from 'node:http'
import { makeApp } from './app.ts'
import type { Config } from './config.ts'
import { createHttpsServer } from './hosting/https-server.ts'
import { makeDrain } from './http/drain.ts'
import { createOpsServer } from './http/ops-server.ts'
import { createHttpServer } from './http/server.ts'
import { startCleanUp } from './jobs/clean-up.ts'
import type { Clock } from './tools/clock.ts'
import { StartRefused } from './tools/start-refused.ts'
import { bringUp, openTools, type Tools } from './tools.ts'

export type Service = {
  tools: Tools
  /** Resolves when the database is migrated and prepared. Until then the service is alive, but not ready. */
  up: Promise<void>
  /** Builds the GraphQL schema and the API reference, so that their first request need not wait. */
  warmUp(): Promise<unknown>
  /** Serves this long while not ready, finishes running requests, then closes everything. */
  stop(serveOnSeconds?: number): Promise<void>
}

/** Starts the service: config -> tools -> app -> listen. */
export async function startService(config: Config, clock?: Clock): Promise<Service> {
  const tools = await openTools(config, clock)
  const drain = makeDrain()
  const app = makeApp(tools, drain)
  const server = createHttpServer(tools, app.listener)
  const { httpsPort } = config.hosting
  const secureServer = httpsPort === 0 ? null : createHttpsServer(tools, app.secureListener)
  const ops = config.opsPort === 0 ? null : await createOpsServer(tools, drain)
  try {
    await listen(server, 'PORT', config.port, config.host)
    if (secureServer) await listen(secureServer, 'HTTPS_PORT', httpsPort, config.host)
    if (ops) await listen(ops, 'OPS_PORT', config.opsPort, config.opsHost)
  } catch (error) {
    for (const one of [server, secureServer, ops]) one?.close()
    await tools.close()
    throw error
  }
  const cleanUp = startCleanUp(tools)
  return {
    tools,
    up: bringUp(tools),
    warmUp: app.warmUp,
    async stop(serveOnSeconds = 0) {
      cleanUp.stop()
      await drain.end([server, ...(secureServer ? [secureServer] : [])], serveOnSeconds * 1000)
      ops?.close()
      await tools.close()
    },
  }
}

async function listen(server: Server, variable: string, port: number, host: string): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening').catch(fault => {
    const reason =
      fault.code === 'EADDRINUSE'
        ? `another program listens there already. Choose another port: ${variable}=${port + 1} npm start`
        : `${fault.message}.`
    throw new StartRefused(`Cannot listen on ${host}:${port}: ${reason}`)
  })
}
