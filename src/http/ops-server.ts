import { createServer, type Server } from 'node:http'
import type { Tools } from '../tools.ts'
import { openDomainMetrics } from './domain-metrics.ts'
import { serviceText, storeText } from './service-metrics.ts'

/** Prometheus reads this port, which is separate because the metrics are not public. */
export async function createOpsServer(tools: Tools): Promise<Server> {
  // Loaded only if this server starts: the import takes 5 % of the start-up time.
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  // These gauges end in `_total`, as only counters should; nodejs_active_handles and the like report the same by type.
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
