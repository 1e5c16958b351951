import { createServer, type Server } from 'node:http'
import type { Reports } from './reports.ts'

/**
 * Serves Prometheus and operators with metrics and with the reasons why a process is not ready. These are not public,
 * so they have their own port.
 */
export function createOpsServer(reports: Reports): Server {
  return createServer(async (request, response) => {
    if (request.url === '/readyz') {
      const { isReady, status, reasons } = await reports.readiness()
      response.writeHead(isReady ? 200 : 503, { 'Content-Type': 'application/json' })
      return void response.end(`${JSON.stringify({ status, ...reasons })}\n`)
    }
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
    response.end(await reports.metrics())
  })
}
