import { AggregatorRegistry } from 'prom-client'

/** A metric in the format of prom-client's getMetricsAsJSON. */
export type Metric = { name: string; help: string; type: string; aggregator: string; values: Sample[] }
type Sample = { metricName: string; labels: Record<string, string>; value: number }

/** Metrics that are not summed over the processes, by name. */
const otherSums: readonly [RegExp, 'first' | 'min' | 'max'][] = [
  // The first value is the parent's: its start time does not change in a roll-over.
  [/_info$|^process_start_time_seconds$/, 'first'],
  // The service is ready while at least one process is ready, as in /readyz.
  [/^animal_store_ready$/, 'max'],
  // Report the worst process. For sealed keys the maximum is right too, because each process counts the keys of the
  // whole database.
  [
    /^nodejs_eventloop_lag_|_behind_seconds$|_circuit_open$|^animal_store_sealed_|^process_resident_memory_bytes$|_fds$/,
    'max',
  ],
]

/** Parses Prometheus' text format, as our processes write it. */
export function parseMetrics(text: string): Metric[] {
  const metrics: Metric[] = []
  for (const line of text.split('\n')) {
    const [, what, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    const current = metrics.at(-1)
    if (what === 'HELP') {
      const aggregator = otherSums.find(([names]) => names.test(name))?.[1] ?? 'sum'
      metrics.push({ name, help: rest, type: 'gauge', values: [], aggregator })
    } else if (what === 'TYPE' && current) current.type = rest
    else if (current) current.values.push(...parseSample(line))
  }
  return metrics
}

function parseSample(line: string): Sample[] {
  const [, metricName, labels = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  if (metricName === undefined) return []
  const pairs = [...labels.matchAll(/(?<!\w)(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', text = '']) => [
    name,
    text.replace(/\\(.)/g, (_all, letter) => (letter === 'n' ? '\n' : letter)),
  ])
  return [{ metricName, labels: Object.fromEntries(pairs), value: Number(value) }]
}

/** Returns the metrics that must never decrease, because Prometheus treats a decrease as a restart. */
export function countersOf(metrics: readonly Metric[]): Metric[] {
  return metrics.filter(({ type }) => ['counter', 'histogram'].includes(type))
}

export const textOf = (all: Metric[][]): Promise<string> => AggregatorRegistry.aggregate(all).metrics()

export const addUp = async (all: Metric[][]): Promise<Metric[]> => parseMetrics(await textOf(all))
