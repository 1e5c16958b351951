import { makeApp } from './app.ts'
import type { Config } from './config.ts'
import { createHttpsServer } from './hosting/https-server.ts'
import { makeDrain } from './http/drain.ts'
import { listen } from './http/listen.ts'
import { createOpsServer } from './http/ops-server.ts'
import { openReports, type ProcessReports } from './http/reports.ts'
import { createHttpServer } from './http/server.ts'
import type { Clock } from './tools/clock.ts'
import { bringUp, openTools, type Tools } from './tools.ts'

/**
 * `alone`: a process without a parent. With PROCESSES, the process that starts first is `first`, and the others are
 * `later`. A `later` process listens after it is ready. The other two kinds listen before they are ready, so that
 * probes get an answer.
 */
export type Part = 'alone' | 'first' | 'later'

type Options = {
  clock?: Clock
  part?: Part
  /** Warm up before listening: it takes over a second of CPU, for which the first requests would have to wait. */
  isWarmAtOnce?: boolean
  /**
   * The start is refused if the database is unavailable for this long. By default the start waits for the database
   * without an end.
   */
  databaseWaitMs?: number
}

export type Service = {
  tools: Tools
  /** Null without OPS_PORT. */
  reports: ProcessReports | null
  /** Resolves when the service listens and its database is migrated and prepared. Rejects if the start is refused. */
  up: Promise<void>
  /** See `App.warmUp`. */
  warmUp(): Promise<unknown>
  /** Serves this long while it reports not ready. Then finishes running requests and closes everything. */
  stop(serveOnSeconds?: number): Promise<void>
  /**
   * Like `stop`, for a process whose ports another process already serves. The ending process reports ready until its
   * end. `idleSeconds`: how long the ending process waits before it closes idle connections.
   */
  handOver(idleSeconds: number): Promise<void>
}

/** Opens the service: config -> tools -> app. Then `up` goes on: warm up -> listen -> ready. */
export async function startService(
  config: Config,
  { clock, part = 'alone', isWarmAtOnce = false, databaseWaitMs = Number.POSITIVE_INFINITY }: Options = {},
): Promise<Service> {
  const tools = await openTools(config, databaseWaitMs, clock)
  const drain = makeDrain()
  const app = makeApp(tools, drain)
  const server = createHttpServer(tools, app.listener)
  const { httpsPort } = config.hosting
  const secureServer = httpsPort === 0 ? null : createHttpsServer(tools, app.secureListener)
  const servers = secureServer ? [server, secureServer] : [server]
  const reports = config.opsPort === 0 ? null : await openReports(tools, drain)
  // The parent of several processes listens on OPS_PORT itself.
  const ops = reports && part === 'alone' ? createOpsServer(reports) : null

  async function listenOnAll(): Promise<void> {
    if (drain.isEnding()) return
    try {
      await listen(server, 'PORT', config.port, config.host)
      if (secureServer) await listen(secureServer, 'HTTPS_PORT', httpsPort, config.host)
      if (ops) await listen(ops, 'OPS_PORT', config.opsPort, config.opsHost)
    } catch (error) {
      for (const one of [...servers, ops]) one?.close()
      await tools.close()
      throw error
    }
  }
  async function comeUp(): Promise<void> {
    if (isWarmAtOnce) await app.warmUp()
    if (part !== 'later') await listenOnAll()
    await bringUp(tools, databaseWaitMs)
    if (part === 'later') await listenOnAll()
  }
  async function close(drained: Promise<void>): Promise<void> {
    // Let all waiting long work begin at once. Otherwise long work could still wait for a place when the drain is over.
    tools.longWork.endWaiting()
    await drained
    ops?.close()
    await tools.close()
  }

  return {
    tools,
    reports,
    up: comeUp(),
    warmUp: app.warmUp,
    stop: (serveOnSeconds = 0) => close(drain.end(servers, serveOnSeconds * 1000)),
    handOver: idleSeconds => close(drain.handOver(servers, idleSeconds * 1000)),
  }
}
