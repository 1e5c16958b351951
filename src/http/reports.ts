import type { Tools } from '../tools.ts'
import { openDomainMetrics } from './domain-metrics.ts'
import type { Drain } from './drain.ts'
import { type Readiness, readinessOf } from './readiness.ts'
import { readyText, serviceText, storeText } from './service-metrics.ts'

/** The reports that the server on OPS_PORT returns. */
export type Reports = {
  metrics(): Promise<string>
  readiness(): Promise<Readiness>
}

export type ProcessReports = Reports & {
  ofProcess(): Promise<string>
  /** The metrics that are the same from every process, because they are read from the database. */
  ofStore(): Promise<string>
}

export async function openReports(tools: Tools, drain: Drain): Promise<ProcessReports> {
  // Load only if OPS_PORT is on, because the import takes 5 % of the start-up time.
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const node = new Registry()
  collectDefaultMetrics({ register: node })
  // Remove these gauges: nodejs_active_handles and similar metrics have the same counts, and only counters may end in
  // `_total`.
  for (const name of ['handles', 'requests', 'resources'])
    node.removeSingleMetric(`nodejs_active_${name}_total`)
  const domains = openDomainMetrics(tools)
  const readiness = () => readinessOf(tools, drain)

  async function ofProcess(): Promise<string> {
    const { isReady } = await readiness()
    return [tools.metrics.text(), serviceText(tools), readyText(isReady), await node.metrics()].join('')
  }
  const ofStore = async () => (await Promise.all([storeText(tools), domains.text()])).join('')

  return {
    ...{ readiness, ofProcess, ofStore },
    metrics: async () => (await Promise.all([ofStore(), ofProcess()])).join(''),
  }
}
