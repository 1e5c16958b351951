import type { Readiness } from '../http/readiness.ts'
import type { Reports } from '../http/reports.ts'
import type { Child } from './child.ts'
import { addUp, countersOf, type Metric, parseMetrics, textOf } from './metrics.ts'

export type SumOfReports = Reports & {
  /** Keeps the counters of a process that has ended: a sum that falls would look like a restart to Prometheus. */
  keepCounters(child: Child): void
  countDeath(): void
}

/** Reports on all processes as one, for OPS_PORT of the parent. */
export function openSumOfReports(children: ReadonlySet<Child>, wanted: number): SumOfReports {
  let ofEnded: Promise<Metric[]> = Promise.resolve([])
  let deaths = 0

  const askForMetrics = async (child: Child, index: number) => {
    const { metrics } = await child.ask({ about: 'metrics', withStore: index === 0 })
    return parseMetrics(metrics ?? child.lastMetrics())
  }
  const askAll = () => Promise.all([...children].map(child => child.ask({ about: 'readiness' })))
  const readiness = async () => {
    const answers = (await askAll()).map(report => report.readiness)
    return readinessOfAll(
      answers.filter(answer => answer !== undefined),
      wanted,
    )
  }

  return {
    readiness,
    async metrics() {
      // Read the sum of the ended processes and the list of running processes before any wait, so that a process that
      // ends during the wait is counted only once.
      const before = ofEnded
      const reports = [...children].map(askForMetrics)
      const { ready } = await readiness()
      const own = parseMetrics(textOfProcesses(wanted, ready, deaths))
      return textOf([own, await before, ...(await Promise.all(reports))])
    },
    keepCounters(child) {
      const counters = countersOf(parseMetrics(child.lastMetrics()))
      ofEnded = ofEnded.then(before => addUp([before, counters]))
    },
    countDeath() {
      deaths++
    },
  }
}

/** Ready while at least one process is ready. Lists different reasons beside each other. */
function readinessOfAll(answers: Readiness[], wanted: number): Readiness & { ready: number } {
  const ready = answers.filter(answer => answer.isReady)
  const isReady = ready.length > 0
  const shown = isReady ? ready : answers
  const isDegraded = shown.some(({ status }) => status === 'degraded')
  const status = isDegraded ? 'degraded' : (shown[0]?.status ?? 'starting')
  const names = new Set(answers.flatMap(({ reasons }) => Object.keys(reasons)))
  const reasons = [...names].map(name => {
    const texts = answers.map(answer => answer.reasons[name]).filter(text => text !== undefined)
    return [name, [...new Set(texts)].join('; ')]
  })
  return {
    ...{ isReady, status, ready: ready.length },
    reasons: { processes: `${ready.length} of ${wanted} ready`, ...Object.fromEntries(reasons) },
  }
}

const textOfProcesses = (wanted: number, ready: number, deaths: number) =>
  `# HELP animal_store_processes Processes of PROCESSES: wanted, and ready.
# TYPE animal_store_processes gauge
animal_store_processes{state="wanted"} ${wanted}
animal_store_processes{state="ready"} ${ready}
# HELP animal_store_process_deaths_total Processes that ended unexpectedly.
# TYPE animal_store_process_deaths_total counter
animal_store_process_deaths_total ${deaths}
# HELP process_start_time_seconds Start time of the parent, in seconds since the epoch.
# TYPE process_start_time_seconds gauge
process_start_time_seconds ${performance.timeOrigin / 1000}
`
