import { readFileSync } from 'node:fs'
import { countDueJobs } from '../core/certificates/backlog.ts'
import { countEndpoints } from '../core/events/endpoint-counts.ts'
import { isDatabaseUnavailable } from '../database/faults.ts'
import { countMigrations } from '../database/migrations.ts'
import type { Tools } from '../tools.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** Returns metrics of this process in Prometheus' format. */
export function serviceText({ database: { pool, outage }, redis, limiter, usageCounter }: Tools): string {
  return `# HELP animal_store_build_info Version of the service and of node; always 1.
# TYPE animal_store_build_info gauge
animal_store_build_info{version="${version}",node_version="${process.version}"} 1
${pool ? textOfPool(pool, outage) : ''}${redis ? textOfCircuit(limiter) : ''}\
# HELP animal_store_usage_backlog Usage rows to be written to the database.
# TYPE animal_store_usage_backlog gauge
animal_store_usage_backlog ${usageCounter.backlog()}
`
}

export const readyText = (
  isReady: boolean,
) => `# HELP animal_store_ready 1 while /readyz of this process says ready, else 0.
# TYPE animal_store_ready gauge
animal_store_ready ${isReady ? 1 : 0}
`

function textOfPool(
  pool: NonNullable<Tools['database']['pool']>,
  outage: Tools['database']['outage'],
): string {
  const { totalCount, idleCount } = pool
  return `# HELP animal_store_database_connections Connections of this process to PostgreSQL, without the one that reads the log of changes.
# TYPE animal_store_database_connections gauge
animal_store_database_connections{state="used"} ${totalCount - idleCount}
animal_store_database_connections{state="idle"} ${idleCount}
# HELP animal_store_database_waiting Statements that wait for a connection to be free.
# TYPE animal_store_database_waiting gauge
animal_store_database_waiting ${pool.waiting()}
# HELP animal_store_database_busy_total Statements that failed because no connection was free in time.
# TYPE animal_store_database_busy_total counter
animal_store_database_busy_total ${outage.timesBusy()}
`
}

function textOfCircuit(limiter: Tools['limiter']): string {
  return `# HELP animal_store_redis_circuit_open 1 while this process counts the limits alone because Redis is unavailable, else 0.
# TYPE animal_store_redis_circuit_open gauge
animal_store_redis_circuit_open ${limiter.isExact() ? 0 : 1}
`
}

/** Returns metrics that need the database; '' if it is unavailable. */
export async function storeText({ database, db, clock, log }: Tools): Promise<string> {
  try {
    const now = new Date(clock.now())
    const [migrations, due, endpoints] = await Promise.all([
      countMigrations(database),
      countDueJobs(db, now),
      countEndpoints(db, now),
    ])
    return `# HELP animal_store_migrations Migrations of the database: applied, pending, and newer ones of a later version.
# TYPE animal_store_migrations gauge
${linesOf('animal_store_migrations', 'state', migrations)}\
# HELP animal_store_jobs_due Due jobs that no process has started; the same from every process.
# TYPE animal_store_jobs_due gauge
${linesOf('animal_store_jobs_due', 'job', due)}\
# HELP animal_store_webhook_endpoints Webhook endpoints of all projects by state; the same from every process.
# TYPE animal_store_webhook_endpoints gauge
${linesOf('animal_store_webhook_endpoints', 'state', endpoints)}`
  } catch (error) {
    if (!isDatabaseUnavailable(error))
      log.error({ error }, 'the due jobs and the webhook endpoints cannot be counted')
    return ''
  }
}

const linesOf = (name: string, label: string, counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([value, count]) => `${name}{${label}="${value}"} ${count}\n`)
    .join('')
