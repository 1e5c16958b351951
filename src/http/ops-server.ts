import { createServer, type Server } from 'node:http'
import type { Tools } from '../tools.ts'
import { openDomainMetrics } from './domain-metrics.ts'

/** Prometheus reads here; a port of its own, because what it tells is not for the public. */
export async function createOpsServer(tools: Tools): Promise<Server> {
  // Only where somebody reads it: to load it costs a twentieth of the start.
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  const domains = openDomainMetrics(tools)
  return createServer(async (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': ofProcess.contentType })
    response.end(tools.metrics.text() + (await domains.text()) + (await ofProcess.metrics()))
  })
}
