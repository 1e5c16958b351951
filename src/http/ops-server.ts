import { createServer, type Server } from 'node:http'
import type { Metrics } from '../tools/metrics.ts'

/** Prometheus reads here; a port of its own, because what it tells is not for the public. */
export async function createOpsServer(metrics: Metrics): Promise<Server> {
  // Only where somebody reads it: to load it costs a twentieth of the start.
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  return createServer(async (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': ofProcess.contentType })
    response.end(metrics.text() + (await ofProcess.metrics()))
  })
}
