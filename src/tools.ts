import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster, Redis } from 'ioredis'
import type { Config } from './config.ts'
import type { OperatorKey } from './config-values.ts'
import { type Events, openEvents } from './core/events/events.ts'
import { type Callers, openCallers } from './core/keys/callers.ts'
import { type LongWork, longWorkLeaseMs, openLongWork } from './core/long-work.ts'
import { openPlacements, type Placements } from './core/orders/placement-batch.ts'
import { openPets, type Pets } from './core/pets/pets.ts'
import { type LimitNotices, openLimitNotices } from './core/projects/limit-notices.ts'
import { openUsageCounter, type UsageCounter } from './core/usage/counter.ts'
import { type Changes, openChanges } from './database/changes.ts'
import type { Database } from './database/database.ts'
import { openDatabase } from './database/open-database.ts'
import { cannotServe } from './database/outage.ts'
import { prepareDemo } from './first-start.ts'
import type { PrismaClient } from './generated/prisma/client.ts'
import { type Hosting, openHosting } from './hosting/hosting.ts'
import { requireSecretsKey } from './hosting/private-keys.ts'
import { openWebhooks, type Webhooks } from './hosting/webhooks.ts'
import { openRefusalPace, type RefusalPace } from './http/refusal-pace.ts'
import { type StallWatch, watchStalls } from './http/stalls.ts'
import { openWorkTurns, type WorkTurns } from './http/work-turns.ts'
import { type Jobs, openJobs } from './jobs/jobs.ts'
import { Limiter } from './limiter/limiter.ts'
import { openPlaces, type Places } from './limiter/places.ts'
import { openRedis } from './limiter/redis.ts'
import { type Clock, systemClock } from './tools/clock.ts'
import type { Credentials } from './tools/credentials.ts'
import { type Logger, openLog } from './tools/log.ts'
import { type Mail, openMail } from './tools/mail.ts'
import { type Metrics, openMetrics } from './tools/metrics.ts'
import { readSecretAgain } from './tools/secret-files.ts'

/** The connections and services that all code uses. They are opened and closed together. */
export type Tools = {
  config: Config
  clock: Clock
  log: Logger
  metrics: Metrics
  database: Database
  db: PrismaClient
  changes: Changes
  events: Events
  redis: Redis | Cluster | null
  limiter: Limiter
  places: Places
  longWork: LongWork
  refusalPace: RefusalPace
  workTurns: WorkTurns
  callers: Callers
  pets: Pets
  placements: Placements
  usageCounter: UsageCounter
  hosting: Hosting
  webhooks: Webhooks
  limitNotices: LimitNotices
  jobs: Jobs
  stalls: StallWatch
  /** Null: the service sends no mail. */
  mail: Mail | null
  /** The operators' keys; empty if there are no operators. */
  operatorKeys: readonly OperatorKey[]
  demo: Credentials | null
  /** False until the database is migrated and prepared. */
  isStarted: boolean
  /** Aborted when the service stops. */
  closing: AbortSignal
  close(): Promise<void>
}

/** `databaseWaitMs`: how long the start waits for the database. */
export async function openTools(
  config: Config,
  databaseWaitMs: number,
  clock: Clock = systemClock,
): Promise<Tools> {
  const log = openLog(config.logLevel)
  const metrics = openMetrics()
  const { database, redis } = await openStores(config, databaseWaitMs, log)
  const { db } = database
  database.outage.logTo(log)
  const changes = openChanges({ database, log, counts: metrics.changes })
  const { countCharge: count, countRedis: time } = metrics
  const limiter = new Limiter({ redis, clock, log, count, time })
  const usageCounter = openUsageCounter(database, clock, log)
  const hosting = await openHosting({ config, db, clock, changes, log })
  const webhooks = openWebhooks(config, { database, clock, seal: hosting.seal })
  const limitNotices = openLimitNotices(db)
  const jobs = openJobs({ ...hosting, db, clock, log, metrics, database, changes, webhooks, limitNotices })

  const closing = new AbortController()

  const tools: Tools = {
    config,
    clock,
    log,
    metrics,
    database,
    db,
    changes,
    events: openEvents(changes),
    redis,
    limiter,
    places: openPlaces(redis),
    longWork: openLongWork(openPlaces(redis, longWorkLeaseMs)),
    refusalPace: openRefusalPace(),
    workTurns: openWorkTurns(),
    usageCounter,
    hosting,
    webhooks,
    limitNotices,
    jobs,
    stalls: watchStalls(log),
    callers: openCallers(database, changes, clock),
    pets: openPets(database),
    placements: openPlacements(database, clock),
    mail: openMail(config.mail, log),
    operatorKeys: config.operatorKeys,
    demo: null,
    isStarted: false,
    closing: closing.signal,
    async close() {
      closing.abort()
      await jobs.close()
      webhooks.outgoing.close()
      await usageCounter.close()
      await limiter.close()
      tools.places.close()
      tools.longWork.close()
      await changes.close()
      redis?.disconnect()
      await database.close()
    },
  }
  return tools
}

/** Opens the database and Redis at the same time. If one of them is refused, closes the other. */
async function openStores(config: Config, databaseWaitMs: number, log: Logger) {
  const readAgain = () => readSecretAgain(config.secretFiles, 'REDIS_URL')
  const [database, redis] = await Promise.allSettled([
    openDatabase({ ...config, databaseWaitMs }),
    config.redisUrl === null ? null : openRedis(config.redisUrl, log, config.redisCaFile, readAgain),
  ])
  if (database.status === 'rejected') {
    if (redis.status === 'fulfilled') redis.value?.disconnect()
    throw database.reason
  }
  if (redis.status === 'rejected') {
    await database.value.close()
    throw redis.reason
  }
  return { database: database.value, redis: redis.value }
}

const retryMs = 500

/** The part of the start that needs the database. The service already listens, but is not ready. */
export async function bringUp(tools: Tools, databaseWaitMs: number): Promise<void> {
  const { config, db, clock, database, hosting } = tools
  await database.migrated
  await untilDatabaseAnswers(tools, databaseWaitMs, () => requireSecretsKey(db, hosting.seal))
  tools.demo = await untilDatabaseAnswers(tools, databaseWaitMs, () => prepareDemo(config, db, clock))
  const made = tools.demo?.operatorKey
  if (made) tools.operatorKeys = [{ name: 'operator', key: made }]
  tools.changes.start()
  tools.jobs.start()
  tools.isStarted = true
}

/**
 * Repeats a step of the start while the database is unavailable, at most for `waitMs`. Rejects with any other error, or
 * when the service stops.
 */
async function untilDatabaseAnswers<T>(
  { database, closing }: Tools,
  waitMs: number,
  step: () => Promise<T>,
): Promise<T> {
  const giveUpAt = performance.now() + waitMs
  for (;;) {
    closing.throwIfAborted()
    try {
      return await step()
    } catch (error) {
      if (closing.aborted || !database.outage.note(error)) throw error
      if (performance.now() >= giveUpAt) throw cannotServe(error)
    }
    await pause(retryMs, undefined, { signal: closing })
  }
}
