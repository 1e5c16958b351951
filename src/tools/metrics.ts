import { linesDropped } from './log.ts'

type Refusal = 'limited' | 'banned'
type AuthorityRefusal = 'ca_rate_limited' | 'ca_unreachable' | 'ca_refused' | 'validation_failed'
type Series = { labels: string; met: number[]; count: number; seconds: number }
/** `hits`: answers from the cache. `misses`: answers that had to be built. */
export type PageCounts = { hits: number; misses: number }

/**
 * `readBeganAt`: start of the last successful read of the log of changes, by performance.now(). `lateReads`: reads that
 * took too long. `timesForgotten`: how often all caches were cleared.
 */
export type ChangesCounts = { readBeganAt: number; lateReads: number; timesForgotten: number }

/**
 * `older`: private keys sealed with an older key of SECRETS_KEY, null while unknown. `unreadable`: private keys that no
 * key opens.
 */
export type SealedCounts = { older: number | null; unreadable: number }

/** The service's metrics, for Prometheus. */
export type Metrics = {
  countAnswer(method: string, route: string, status: number, seconds: number, refusal: Refusal | null): void
  /** Counts a refused request of a project. */
  countProjectRefusal(project: string): void
  /** Number of requests that have begun and are not answered. */
  requests: { inFlight: number }
  pages: PageCounts
  countRedis(seconds: number): void
  countBan(): void
  countToolCall(tool: string, outcome: string): void
  countCharge(store: 'redis' | 'memory'): void
  /** Counts a refusal by the certificate authority. Each code of a refusal has one counter for all host names. */
  countAuthorityRefusal(code: AuthorityRefusal): void
  /** Counts connections that were closed after their TLS handshake because their host is not served. */
  countClosedTls(connections: number): void
  /** Counts a connection that was closed because its address had too many. */
  countRefusedConnection(): void
  /** Counts of the reader of the log of changes. */
  changes: ChangesCounts
  /** Counts of the job that reseals keys. */
  sealed: SealedCounts
  text(): string
}

/** Upper ends of the histogram's buckets, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * The most projects with a series of their own. A further project replaces the project whose last refusal is the
 * oldest.
 */
const mostProjects = 100

/**
 * Metrics that change with every request are counted without prom-client: its Histogram and Counter with labels would
 * cost 1.0 µs more CPU per request (1.1 instead of 0.1). Importing prom-client takes 5 % of the start, so only a
 * process with OPS_PORT imports it.
 */
export function openMetrics(): Metrics {
  const answers = new Map<string, Series>()
  const refusals = { limited: 0, banned: 0 }
  const projectRefusals = new Map<string, number>()
  const charges = { redis: 0, memory: 0 }
  const changes = { readBeganAt: performance.now(), lateReads: 0, timesForgotten: 0 }
  const authorityRefusals = { ca_rate_limited: 0, ca_unreachable: 0, ca_refused: 0, validation_failed: 0 }
  const requests = { inFlight: 0 }
  const pages = { hits: 0, misses: 0 }
  const redis = openSeries('')
  const sealed: SealedCounts = { older: null, unreadable: 0 }
  const toolCalls = new Map<string, number>()
  let bans = 0
  let closedTls = 0
  let refusedConnections = 0

  function seriesOf(method: string, route: string, status: number): Series {
    const labels = `method="${method}",route="${route}",status="${status}"`
    const known = answers.get(labels)
    if (known) return known
    const series = openSeries(labels)
    answers.set(labels, series)
    return series
  }

  return {
    countAnswer(method, route, status, seconds, refusal) {
      const series = seriesOf(method, route, status)
      addTo(series, seconds)
      if (refusal) refusals[refusal]++
    },
    countProjectRefusal(project) {
      const count = (projectRefusals.get(project) ?? 0) + 1
      // Delete the entry first, so that it moves to the end of the map.
      projectRefusals.delete(project)
      const [oldest] = projectRefusals.keys()
      if (oldest !== undefined && projectRefusals.size >= mostProjects) projectRefusals.delete(oldest)
      projectRefusals.set(project, count)
    },
    requests,
    pages,
    countRedis: seconds => addTo(redis, seconds),
    countToolCall(tool, outcome) {
      const labels = `tool="${tool}",outcome="${outcome}"`
      toolCalls.set(labels, (toolCalls.get(labels) ?? 0) + 1)
    },
    countBan() {
      bans++
    },
    countCharge(store) {
      charges[store]++
    },
    countAuthorityRefusal(code) {
      authorityRefusals[code]++
    },
    countClosedTls(connections) {
      closedTls += connections
    },
    countRefusedConnection() {
      refusedConnections++
    },
    changes,
    sealed,
    text: () => `# HELP animal_store_request_seconds Answers by method, route and status, and how long they took, without waits for other requests of the same client, for the pace of refusals, and for tested webhook endpoints.
# TYPE animal_store_request_seconds histogram
${[...answers.values()].map(series => textOf('animal_store_request_seconds', series)).join('')}\
# HELP animal_store_requests_in_flight Requests that were begun and not answered yet.
# TYPE animal_store_requests_in_flight gauge
animal_store_requests_in_flight ${requests.inFlight}
# HELP animal_store_page_cache_requests_total Answers about pets or the schema: hit if the answer was cached, miss if it was computed.
# TYPE animal_store_page_cache_requests_total counter
animal_store_page_cache_requests_total{outcome="hit"} ${pages.hits}
animal_store_page_cache_requests_total{outcome="miss"} ${pages.misses}
# HELP animal_store_redis_seconds How long Redis took to decide a batch of charges.
# TYPE animal_store_redis_seconds histogram
${textOf('animal_store_redis_seconds', redis)}\
# HELP animal_store_refusals_total Requests refused by the limiter: over a limit, or by a banned key.
# TYPE animal_store_refusals_total counter
animal_store_refusals_total{reason="limited"} ${refusals.limited}
animal_store_refusals_total{reason="banned"} ${refusals.banned}
# HELP animal_store_project_refusals_total Refused requests by project, for the ${mostProjects} projects that were refused last.
# TYPE animal_store_project_refusals_total counter
${[...projectRefusals].map(([project, count]) => `animal_store_project_refusals_total{project="${project}"} ${count}\n`).join('')}\
# HELP animal_store_tool_calls_total Calls of tools at /mcp, by tool and outcome.
# TYPE animal_store_tool_calls_total counter
${[...toolCalls].map(([labels, count]) => `animal_store_tool_calls_total{${labels}} ${count}\n`).join('')}\
# HELP animal_store_bans_total Bans begun.
# TYPE animal_store_bans_total counter
animal_store_bans_total ${bans}
# HELP animal_store_charges_total Charges decided by the limiter: in Redis for all processes, or in this process's memory alone.
# TYPE animal_store_charges_total counter
animal_store_charges_total{counted_in="redis"} ${charges.redis}
animal_store_charges_total{counted_in="memory"} ${charges.memory}
# HELP animal_store_changes_behind_seconds Seconds since the last read of the log of changes began; above 0.25 no cached answer is served.
# TYPE animal_store_changes_behind_seconds gauge
animal_store_changes_behind_seconds ${(performance.now() - changes.readBeganAt) / 1000}
# HELP animal_store_changes_late_looks_total Reads of the log of changes that took longer than 0.25 seconds.
# TYPE animal_store_changes_late_looks_total counter
animal_store_changes_late_looks_total ${changes.lateReads}
# HELP animal_store_changes_forgotten_total How often all caches were cleared, because of an outage, a restart or a restore.
# TYPE animal_store_changes_forgotten_total counter
animal_store_changes_forgotten_total ${changes.timesForgotten}
# HELP animal_store_authority_refusals_total Requests that the certificate authority refused or left unanswered, and validations that failed.
# TYPE animal_store_authority_refusals_total counter
${Object.entries(authorityRefusals)
  .map(([code, count]) => `animal_store_authority_refusals_total{code="${code}"} ${count}\n`)
  .join('')}\
# HELP animal_store_tls_connections_closed_total TLS connections closed after their handshake because their host is not served.
# TYPE animal_store_tls_connections_closed_total counter
animal_store_tls_connections_closed_total ${closedTls}
# HELP animal_store_connections_refused_total Connections closed because their address had more than CONNECTIONS_PER_ADDRESS.
# TYPE animal_store_connections_refused_total counter
animal_store_connections_refused_total ${refusedConnections}
# HELP animal_store_log_lines_dropped_total Lines of the log that were lost: its disk was full, or its reader stalled.
# TYPE animal_store_log_lines_dropped_total counter
animal_store_log_lines_dropped_total ${linesDropped()}
# HELP animal_store_sealed_with_older_key Private keys found sealed with an older key of SECRETS_KEY; when it is 0 in every process, remove the older keys.
# TYPE animal_store_sealed_with_older_key gauge
${sealed.older === null ? '' : `animal_store_sealed_with_older_key ${sealed.older}\n`}\
# HELP animal_store_sealed_unreadable Private keys in the database that no key of SECRETS_KEY opens.
# TYPE animal_store_sealed_unreadable gauge
animal_store_sealed_unreadable ${sealed.unreadable}
`,
  }
}

const openSeries = (labels: string): Series => ({
  labels,
  met: buckets.map(() => 0),
  count: 0,
  seconds: 0,
})

function addTo(series: Series, seconds: number): void {
  const bucket = buckets.findIndex(end => seconds <= end)
  if (bucket >= 0) series.met[bucket] = (series.met[bucket] ?? 0) + 1
  series.count++
  series.seconds += seconds
}

function textOf(name: string, { labels, met, count, seconds }: Series): string {
  const [more, alone] = labels === '' ? ['', ''] : [`,${labels}`, `{${labels}}`]
  let sum = 0
  const upTo = buckets.map((end, i) => {
    sum += met[i] ?? 0
    return `${name}_bucket{le="${end}"${more}} ${sum}\n`
  })
  return `${upTo.join('')}${name}_bucket{le="+Inf"${more}} ${count}
${name}_sum${alone} ${seconds}
${name}_count${alone} ${count}
`
}
