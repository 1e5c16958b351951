import { createServer, type Server } from 'node:http'
import type { Tools } from '../tools.ts'
import { openDomainMetrics } from './domain-metrics.ts'
import type { Drain } from './drain.ts'
import { readinessOf } from './readiness.ts'
import { readyText, serviceText, storeText } from './service-metrics.ts'

/**
 * Serves metrics and the reasons of /readyz to Prometheus and operators. Neither is public, so they have their own
 * port.
 */
export async function createOpsServer(tools: Tools, drain: Drain): Promise<Server> {
  // Load only if this server starts, because the import takes 5 % of the start-up time.
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  // Remove gauges whose names end in `_total`, as only counters' should. nodejs_active_handles and others report the
  // same by type.
  for (const name of ['handles', 'requests', 'resources'])
    ofProcess.removeSingleMetric(`nodejs_active_${name}_total`)
  const domains = openDomainMetrics(tools)
  return createServer(async (request, response) => {
    if (request.url === '/readyz') {
      const { isReady, status, reasons } = await readinessOf(tools, drain)
      response.writeHead(isReady ? 200 : 503, { 'Content-Type': 'application/json' })
      return void response.end(`${JSON.stringify({ status, ...reasons })}\n`)
    }
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': ofProcess.contentType })
    const texts = [tools.metrics.text(), serviceText(tools), await storeText(tools), await domains.text()]
    texts.push(readyText((await readinessOf(tools, drain)).isReady))
    response.end(texts.join('') + (await ofProcess.metrics()))
  })
}
