import { createServer, type Server } from 'node:http'
import type { Tools } from '../tools.ts'
import { openDomainMetrics } from './domain-metrics.ts'
import { serviceText, storeText } from './service-metrics.ts'

/** Prometheus reads here; a port of its own, because what it tells is not for the public. */
export async function createOpsServer(tools: Tools): Promise<Server> {
  // Only where somebody reads it: to load it costs a twentieth of the start.
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  // Gauges under names that end as counters' do; nodejs_active_handles and the like say the same by type.
  for (const name of ['handles', 'requests', 'resources'])
    ofProcess.removeSingleMetric(`nodejs_active_${name}_total`)
  const domains = openDomainMetrics(tools)
  return createServer(async (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': ofProcess.contentType })
    const texts = [tools.metrics.text(), serviceText(tools), await storeText(tools), await domains.text()]
    response.end(texts.join('') + (await ofProcess.metrics()))
  })
}
