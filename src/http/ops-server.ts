import type { Server } from 'node:http'
import type { Metrics } from '../tools/metrics.ts'
import { createServer } from './node-http.ts'

/** Prometheus reads here; a port of its own, because what it tells is not for the public. */
export function createOpsServer(metrics: Metrics): Server {
  return createServer(async (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': metrics.contentType }).end(await metrics.text())
  })
}
