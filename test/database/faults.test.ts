import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { isDatabaseUnavailable, whyUnavailable } from '../../src/database/faults.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { freshDatabase } from '../support/databases.ts'
import { startHoldingProxy } from '../support/holding-proxy.ts'
import { findProgram } from '../support/programs.ts'
import { startPostgres } from '../support/services.ts'
import { watchStalls } from '../support/stalls.ts'

const withPostgres = test.skipIf(!findProgram('postgres'))

async function openOwnPostgres() {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const database = await openDatabase({ databaseUrl: postgres.url, dataDir: '', databasePoolSize: 4 })
  onTestFinished(() => database.close())
  return { postgres, database, db: database.db }
}

const readPlans = { name: 'read_plans', text: 'select name from plans', values: [], reads: true }

type Failure = { error: unknown; ms: number }

/** Runs each query again and again until the returned function is called, which returns all failures. */
function askUnderLoad(questions: (() => Promise<unknown>)[]): () => Promise<Failure[]> {
  const failures: Failure[] = []
  let goesOn = true
  const loops = questions.map(async question => {
    while (goesOn) {
      const start = performance.now()
      await question().catch(error => failures.push({ error, ms: performance.now() - start }))
      await new Promise(setImmediate)
    }
  })
  return async () => {
    goesOn = false
    await Promise.all(loops)
    return failures
  }
}

withPostgres(
  'a statement prepared for replaced tables recovers, in our own queries and in Prisma’s',
  async () => {
    const { database, db } = await openOwnPostgres()
    const readNames = { name: 'read_names', text: 'select name from pets', values: [], reads: true }
    const ways = [() => database.run(readNames), () => db.pet.findMany()]

    for (const [i, ask] of ways.entries()) {
      await ask()
      await db.$executeRawUnsafe(`alter table pets alter column name type ${i ? 'text' : 'varchar(1000)'}`)
      const error = await ask().then(
        () => null,
        (thrown: unknown) => thrown,
      )

      expect(whyUnavailable(error)?.reason ?? null).toBe('its tables were replaced')
      await ask()
    }
  },
)

withPostgres('a statement prepared for a replaced type recovers too, also in a transaction', async () => {
  const { database, db } = await openOwnPostgres()
  const readMood = { name: 'read_mood', text: 'select $1::mood', values: ['calm'], reads: true }
  const ways = [
    () => database.run(readMood),
    () => db.$queryRaw`select ${'calm'}::mood::text`,
    () => db.$transaction(async tx => tx.$queryRaw`select ${'calm'}::mood::text as how`),
  ]

  for (const ask of ways) {
    await db.$executeRawUnsafe(`create type mood as enum ('calm')`)
    await ask()
    await db.$executeRawUnsafe('drop type mood')
    await db.$executeRawUnsafe(`create type mood as enum ('calm')`)
    const error = await ask().then(
      () => null,
      (thrown: unknown) => thrown,
    )

    expect(whyUnavailable(error)?.reason ?? null).toBe('its tables were replaced')
    // Note the error as an outage, as the code that answers a request does. After that the statement works again.
    database.outage.note(error)
    await ask()
    await db.$executeRawUnsafe('drop type mood')
  }
})

withPostgres(
  'a PostgreSQL killed under load is distinguished from a bug and loses no acknowledged row',
  async () => {
    const { postgres, database, db } = await openOwnPostgres()
    let acknowledged = 0
    let attempts = 0
    const finish = askUnderLoad([
      () => db.plan.findMany(),
      () => db.$queryRaw`select 1 as one`,
      () => database.run(readPlans),
      () => database.run(readPlans),
      () => db.$transaction([db.plan.findMany(), db.plan.count()]),
      () => db.$transaction(async tx => [await tx.plan.findMany(), await tx.project.count()]),
      async () => {
        attempts += 1
        await db.project.create({ data: { slug: `project-${attempts}`, name: 'A store' } })
        acknowledged += 1
      },
    ])
    await expect.poll(() => acknowledged).toBeGreaterThan(20)

    const stalledMs = watchStalls()
    await postgres.kill9()
    const before = attempts
    await expect.poll(() => attempts).toBeGreaterThan(before + 20)
    await postgres.restart()

    const failures = await finish()
    expect(failures.length).toBeGreaterThan(20)
    expect(failures.filter(({ error }) => !isDatabaseUnavailable(error))).toEqual([])
    expect(Math.max(...failures.map(({ ms }) => ms)) - stalledMs()).toBeLessThan(3_500)
    expect(await db.project.count()).toBeGreaterThanOrEqual(acknowledged)
  },
)

withPostgres(
  'a connection that ends with its last answer fails only the next query that gets it',
  async () => {
    const postgres = await startPostgres()
    onTestFinished(() => postgres.stop())
    const proxy = await startHoldingProxy(postgres.port)
    onTestFinished(() => proxy.stop())
    const databaseUrl = postgres.url.replace(`:${postgres.port}/`, `:${proxy.port}/`)
    // One connection is reserved for the log of changes. All statements of the service in this test share the second
    // connection.
    const { db, close } = await openDatabase({ databaseUrl, dataDir: '', databasePoolSize: 2 })
    onTestFinished(close)
    const watcher = new pg.Client(postgres.url)
    await watcher.connect()
    onTestFinished(() => watcher.end())
    await db.plan.count()
    // Errors that would end the process.
    const uncaught: unknown[] = []
    const record = (error: unknown) => uncaught.push(error)
    process.on('uncaughtExceptionMonitor', record)
    onTestFinished(() => void process.off('uncaughtExceptionMonitor', record))

    proxy.hold()
    const reading = db.plan.count().then(Number)
    await expect.poll(() => proxy.held()).toContain('SELECT 1')
    const failing = db.$transaction([db.plan.count(), db.project.count()]).catch(error => error)
    await watcher.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'animal-store'`,
    )
    await expect.poll(() => proxy.held()).toContain('terminating connection')
    proxy.release()

    expect(await reading).toBe(4)
    expect(await failing).toSatisfy(isDatabaseUnavailable)
    expect(await db.plan.count()).toBe(4)
    expect(uncaught).toEqual([])
  },
)

withPostgres('a PostgreSQL that hangs times out within two seconds', async () => {
  const { postgres, database } = await openOwnPostgres()
  await Promise.all(Array.from({ length: 4 }, () => database.db.plan.count()))
  await database.run(readPlans)
  postgres.pause()
  const stalledMs = watchStalls()
  const start = performance.now()

  // Send more queries than there are connections: some wait for an answer, some for a connection.
  const answers = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) => (n % 2 ? database.db.plan.count() : database.run(readPlans))),
  )

  expect(performance.now() - start - stalledMs()).toBeLessThan(3_500)
  expect(answers.map(answer => answer.status === 'rejected' && isDatabaseUnavailable(answer.reason))).toEqual(
    Array.from({ length: 8 }, () => true),
  )
  postgres.resume()
  await expect.poll(() => database.db.plan.count().catch(() => 0), { timeout: 5_000 }).toBe(4)
})

withPostgres('a service that starts before its PostgreSQL becomes ready with it', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  await postgres.kill9()
  const database = await openDatabase({ databaseUrl: postgres.url, dataDir: '' })
  onTestFinished(() => database.close())
  await expect(database.ping()).rejects.toThrow()

  await postgres.restart()

  // The database is ready only when its tables exist.
  await expect.poll(() => database.ping().then(() => 'ready', String), { interval: 5 }).toBe('ready')
  expect(await database.db.plan.count()).toBe(4)
})

withPostgres('a service whose PostgreSQL never came up still stops', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  await postgres.kill9()
  const database = await openDatabase({ databaseUrl: postgres.url, dataDir: '' })

  await database.close()

  await expect(database.migrated).resolves.toBeUndefined()
})

withPostgres('a timestamp is read as it was stored, whatever the time zone of the database is', async () => {
  const moment = new Date('2026-07-01T12:34:56.789Z')
  const { env, remove } = await freshDatabase()
  onTestFinished(remove)
  const databaseUrl = env.DATABASE_URL ?? ''
  const first = await openDatabase({ databaseUrl, dataDir: '' })
  await first.db.$executeRawUnsafe(
    `alter database ${new URL(databaseUrl).pathname.slice(1)} set timezone to 'America/New_York'`,
  )
  await first.close()
  const { db, close } = await openDatabase({ databaseUrl, dataDir: '' })
  onTestFinished(close)

  await db.project.create({ data: { slug: 'zoned', name: 'A store', suspendedAt: moment } })

  const stored = await db.$queryRaw`select extract(epoch from suspended_at)::float8 as seconds from projects`
  expect(stored).toEqual([{ seconds: moment.getTime() / 1000 }])
  expect((await db.project.findUnique({ where: { slug: 'zoned' } }))?.suspendedAt).toEqual(moment)
})

test('a bug is not reported as an unavailable database', async () => {
  const { env, remove } = await freshDatabase()
  onTestFinished(remove)
  const { db, close } = await openDatabase({
    databaseUrl: env.DATABASE_URL ?? null,
    dataDir: env.DATA_DIR ?? '',
  })
  onTestFinished(close)
  await db.project.create({ data: { slug: 'taken', name: 'A store' } })

  const mistakes = await Promise.allSettled([
    db.project.create({ data: { slug: 'taken', name: 'A store' } }),
    db.pet.create({ data: { projectId: 0, name: 'Rex', categoryId: 1n } }),
    db.$queryRawUnsafe('select from where'),
    db.project.findUniqueOrThrow({ where: { slug: 'missing' } }),
    Promise.reject(new TypeError('x is not a function')),
  ])

  expect(
    mistakes.map(mistake => mistake.status === 'rejected' && !isDatabaseUnavailable(mistake.reason)),
  ).toEqual(mistakes.map(() => true))
})
