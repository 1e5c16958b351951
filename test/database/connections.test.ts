import { connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { clientsOf } from '../../src/database/clients.ts'
import { openPool, settings } from '../../src/database/connections.ts'
import { isStopped } from '../../src/database/faults.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { detectWay } from '../../src/database/pooler.ts'
import { StartRefused } from '../../src/tools/start-refused.ts'
import {
  administer,
  databaseInEncoding,
  emptyDatabase,
  freshDatabase,
  testPool,
} from '../support/databases.ts'
import { startHoldingProxy } from '../support/holding-proxy.ts'
import { findProgram, freePort } from '../support/programs.ts'
import { watchStalls } from '../support/stalls.ts'

async function urlOf(make = freshDatabase): Promise<string> {
  const { env, remove } = await make()
  onTestFinished(remove)
  return env.DATABASE_URL ?? ''
}

async function open(databaseUrl: string, databasePoolSize?: number) {
  const size = databasePoolSize === undefined ? {} : { databasePoolSize }
  const database = await openDatabase({ databaseUrl, dataDir: '', ...size })
  onTestFinished(() => database.close())
  return database
}

async function connectionsTo(databaseUrl: string): Promise<number> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const { rowCount } = await client.query(
    'SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  await client.end()
  return rowCount ?? 0
}

const declareNewer = `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
  VALUES ('1', '', now(), '20991231000000_later', 1)`

describe.skipIf(!findProgram('postgres'))('a connection to PostgreSQL', () => {
  it('PostgreSQL stops a statement after its own time limit, and the connection goes on with its usual limit', async () => {
    const database = await open(await urlOf(), 2)
    const backend = () =>
      database.run({
        name: '',
        text: "SELECT pg_backend_pid()::text, current_setting('statement_timeout')",
        values: [],
      })
    const sleep = (seconds: number) =>
      database.run({
        name: `sleep_${seconds}`,
        text: `SELECT pg_sleep(${seconds})::text`,
        values: [],
        timeoutMs: 100,
      })
    const before = await backend()

    const failed = await sleep(60).catch(error => error)
    const slept = await sleep(0)

    expect([failed.code, isStopped(failed), slept]).toEqual(['57014', true, [['']]])
    expect(await backend()).toEqual(before)
  })

  it('waiting for a connection and opening it share one timeout while PostgreSQL does not answer', async () => {
    const url = new URL(await urlOf())
    const proxy = await startHoldingProxy(Number(url.port))
    onTestFinished(() => proxy.stop())
    url.port = String(proxy.port)
    // One of the two connections is for the log of changes, which nothing reads here.
    const database = await open(url.href, 2)
    const ask = () => database.run({ name: 'one', text: 'SELECT 1', values: [] })
    await ask()

    proxy.swallow()
    const hanging = expect(ask()).rejects.toThrow('timeout')
    await pause(300)
    const stalledMs = watchStalls()
    const beganAt = performance.now()
    await expect(ask()).rejects.toThrow('timeout')

    // The query waits 1.6 s for the hanging statement. If it waited another 1.9 s for a new connection, that would be
    // 3.5 s.
    expect(performance.now() - beganAt - stalledMs()).toBeLessThan(3_000)
    await hanging
  })

  it('a connection has its own settings in the pool and outside it, whatever the settings of the database', async () => {
    const url = await urlOf()
    for (const setting of [
      "timezone = 'Asia/Tokyo'",
      "datestyle = 'SQL, DMY'",
      'standard_conforming_strings = off',
      'search_path = other',
      "default_transaction_isolation = 'repeatable read'",
    ])
      await administer(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${setting}`)
    const database = await open(url)
    const line = await database.openLine()
    onTestFinished(() => line.close())
    const set = {
      TimeZone: 'UTC',
      DateStyle: 'ISO, MDY',
      standard_conforming_strings: 'on',
      search_path: 'public',
      plan_cache_mode: 'force_generic_plan',
      enable_seqscan: 'off',
      jit: 'off',
      default_transaction_isolation: 'read committed',
      statement_timeout: '1900',
      idle_in_transaction_session_timeout: '10000',
      application_name: 'animal-store',
    }
    const text = 'SELECT name, setting FROM pg_settings WHERE name = ANY ($1)'

    for (const { run } of [database, line]) {
      const rows = await run({ name: 'read_settings', text, values: [Object.keys(set)] })

      expect(Object.fromEntries(rows)).toEqual(set)
    }
  })

  it.each([
    ['five', 5, 4],
    ['one', 1, 1],
    ['the default number of', undefined, 9],
  ])(
    'of %s connections one is for the log of changes, and the others, at least one, are for requests',
    async (_many, all, forRequests) => {
      const { pool } = await open(await urlOf(), all)

      await Promise.all(Array.from({ length: 20 }, () => pool?.query('SELECT pg_sleep(0.02)')))

      expect(pool?.totalCount).toBe(forRequests)
    },
  )

  it('a connection to PostgreSQL without a pooler is detected as direct', async () => {
    const Client = clientsOf(await urlOf())
    const pool = openPool({ ...settings, Client, max: 1 })
    onTestFinished(() => pool.end())

    expect(await detectWay(pool, Client)).toBe('direct')
  })

  it('frequent statements are prepared, and at most five hundred of them', async () => {
    const { db } = await open(await urlOf(), 2)
    const prepared = async () => {
      const [row] = await db.$queryRawUnsafe<{ named: bigint }[]>(
        `SELECT count(*) AS named FROM pg_prepared_statements WHERE name LIKE 'store%'`,
      )
      return Number(row?.named)
    }
    for (let time = 0; time < 3; time++) await db.plan.count()
    const before = await prepared()

    for (let time = 0; time < 3; time++) await db.plan.count()
    expect(await prepared()).toBe(before)
    for (let n = 0; n < 510; n++) await db.$queryRawUnsafe(`SELECT ${n} AS n`)
    expect(await prepared()).toBe(500)
    expect(await db.$queryRawUnsafe('SELECT 509 AS n')).toEqual([{ n: 509 }])
  })

  it('all statements are prepared again under other names after the tables were replaced', async () => {
    const { db, outage } = await open(await urlOf(), 2)
    const statement = `SELECT 'as before' AS said`
    const ask = () => db.$queryRawUnsafe(statement)
    const prepared = () =>
      db.$queryRaw<{ name: string }[]>`SELECT name FROM pg_prepared_statements WHERE statement = ${statement}`
    await ask()
    const [before] = await prepared()

    for (let time = 0; time < 2; time++) {
      outage.note(Object.assign(new Error('as said'), { routine: 'RevalidateCachedQuery' }))
      for (let times = 0; times < 3; times++) expect(await ask()).toEqual([{ said: 'as before' }])
    }

    const names = (await prepared()).map(({ name }) => name)
    expect(names).toContain(before?.name)
    expect(new Set(names).size).toBe(3)
  })

  it('the service waits until PostgreSQL accepts connections', async () => {
    const databaseUrl = await urlOf()
    const server = new URL(databaseUrl)
    const name = server.pathname.slice(1)
    server.pathname = 'postgres'
    await administer(server.href, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)

    const { migrated, outage, ping, db } = await open(databaseUrl)
    expect(outage.reason()).toBe('it accepts no connections')
    await expect(ping()).rejects.toThrow()
    await administer(server.href, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)

    await migrated
    await ping()
    expect(await db.plan.count()).toBe(4)
  })

  it('a role without permissions is refused at the start with the words of PostgreSQL', async () => {
    const databaseUrl = new URL(await urlOf())
    const role = `nobody_${process.pid}`
    await administer(databaseUrl.href, `CREATE ROLE ${role} LOGIN`)
    onTestFinished(() => administer(String(databaseUrl).replace(role, 'postgres'), `DROP ROLE ${role}`))
    databaseUrl.username = role

    const start = openDatabase({ databaseUrl: databaseUrl.href, dataDir: '' })

    await expect(start).rejects.toThrow(
      new StartRefused(
        'PostgreSQL returned an error at the start: permission denied for table _prisma_migrations.',
      ),
    )
  })

  it.each(['LATIN1', 'SQL_ASCII'])(
    'a database with the encoding %s is refused at the start and stays empty',
    async encoding => {
      const databaseUrl = await urlOf(() => databaseInEncoding(encoding))

      await expect(openDatabase({ databaseUrl, dataDir: '' })).rejects.toThrow(
        new StartRefused(
          `The database has the encoding ${encoding}, but the store needs UTF8: create a new database with createdb -E UTF8 -T template0 --locale=C.`,
        ),
      )

      await administer(
        databaseUrl,
        `DO $$ BEGIN ASSERT NOT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'public'); END $$`,
      )
    },
  )

  it('a refused start closes its connections, and each start closes the connection that ran the migrations', async () => {
    const [refused, empty] = [await urlOf(), await urlOf(emptyDatabase)]
    await administer(refused, declareNewer)

    await expect(openDatabase({ databaseUrl: refused, dataDir: '' })).rejects.toThrow(StartRefused)
    await expect.poll(() => connectionsTo(refused)).toBe(0)

    const { pool } = await open(empty)
    await expect.poll(() => connectionsTo(empty)).toBe(pool?.totalCount)
  })

  it('a start that waits for PostgreSQL ends if the tables are of a newer version', async () => {
    const databaseUrl = new URL(await urlOf())
    await administer(databaseUrl.href, declareNewer)
    const port = Number(databaseUrl.port)
    databaseUrl.port = String(await freePort())
    const { migrated, ping } = await open(databaseUrl.href)
    const server = createServer(client => {
      const upstream = connect(port, '127.0.0.1')
      for (const socket of [client, upstream]) socket.on('error', () => {})
      client.pipe(upstream).pipe(client)
    })
    onTestFinished(() => void server.close())

    server.listen(Number(databaseUrl.port), '127.0.0.1')

    await expect(migrated).rejects.toThrow(
      /20991231000000_later was applied by a newer version of the service/,
    )
    await expect(ping()).rejects.toThrow('has not been reached since the start')
  })
})

describe.skipIf(!findProgram('postgres'))('a pooler that drops the settings of connections', () => {
  const fit = {
    timezone: 'UTC',
    datestyle: 'ISO',
    standard_conforming_strings: 'on',
    search_path: 'public',
    plan_cache_mode: 'force_generic_plan',
    enable_seqscan: 'off',
    jit: 'off',
    default_transaction_isolation: 'read committed',
    statement_timeout: '1900',
    idle_in_transaction_session_timeout: '10000',
  }

  type Setting = [keyof typeof fit, string]
  let connectionString: string
  beforeAll(async () => {
    const { env, remove } = await freshDatabase()
    connectionString = env.DATABASE_URL ?? ''
    return remove
  })

  /**
   * Returns how this role reaches PostgreSQL: directly or through a pooler. If the role cannot be used yet, returns the
   * ALTER ROLE statements that it needs.
   */
  async function judge([name, value]: Setting, role?: string): Promise<string | string[]> {
    const options = Object.entries({ ...fit, [name]: value }).map(
      setting => `-c ${setting.join('=').replaceAll(' ', '\\ ')}`,
    )
    const pool = testPool({ connectionString, options: options.join(' '), max: 1 })
    if (role) await pool.query(`SET ROLE ${role}`)
    return detectWay(pool, clientsOf(connectionString)).catch(
      (refusal: Error) => refusal.message.match(/ALTER ROLE [^;]+;/g) ?? refusal.message,
    )
  }

  it.each<Setting>([
    ['timezone', 'UTC'],
    ['timezone', 'Etc/UTC'],
    ['timezone', 'GMT'],
    ['search_path', '"$user",public'],
    ['search_path', 'public,other'],
    ['statement_timeout', '10000'],
    ['idle_in_transaction_session_timeout', '60000'],
  ])('a role with the wanted settings or equivalent ones may be used: %s = %s', async (...setting) => {
    expect(await judge(setting)).toBe('pooled by session')
  })

  it.each<Setting>([
    ['timezone', 'America/New_York'],
    ['datestyle', 'SQL'],
    ['standard_conforming_strings', 'off'],
    ['search_path', 'other,public'],
    ['plan_cache_mode', 'auto'],
    ['enable_seqscan', 'on'],
    ['jit', 'on'],
    ['default_transaction_isolation', 'repeatable read'],
    ['statement_timeout', '0'],
    ['statement_timeout', '10001'],
    ['idle_in_transaction_session_timeout', '0'],
    ['idle_in_transaction_session_timeout', '60001'],
  ])('the error names only the setting that the role lacks: %s = %s', async (name, value) => {
    expect(await judge([name, value])).toEqual([`ALTER ROLE postgres SET ${name} = '${fit[name]}';`])
  })

  it('if the check of a pooler cannot connect, it throws the error of PostgreSQL unchanged', async () => {
    const pool = testPool({ connectionString, max: 1 })
    for (const [name, value] of Object.entries(fit)) await pool.query(`SET ${name} = '${value}'`)
    const absent = new URL(connectionString)
    absent.pathname = 'absent'

    await expect(detectWay(pool, clientsOf(absent.href))).rejects.toMatchObject({ code: '3D000' })
  })

  it('the statements for a role quote an unusual role name', async () => {
    const role = `"Shop-${process.pid}"`
    const url = await urlOf()
    await administer(url, `CREATE ROLE ${role}`)
    onTestFinished(() => administer(url, `DROP ROLE ${role}`))

    expect(await judge(['jit', 'on'], role)).toEqual([`ALTER ROLE ${role} SET jit = 'off';`])
  })
})
