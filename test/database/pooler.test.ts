import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { clientsOf } from '../../src/database/clients.ts'
import { isDatabaseUnavailable } from '../../src/database/faults.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { detectWay } from '../../src/database/pooler.ts'
import { StartRefused } from '../../src/tools/start-refused.ts'
import { testPool } from '../support/databases.ts'
import { fitPooler, oldPooler } from '../support/poolers.ts'
import { findProgram } from '../support/programs.ts'
import {
  type Pooler,
  type Service,
  setForPooler,
  settingsForPooler,
  startPgBouncer,
  startPostgres,
} from '../support/services.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const canRun = findProgram('postgres') !== null

let postgres: Service
beforeAll(async () => {
  if (canRun) postgres = await startPostgres()
})
afterAll(() => postgres?.stop())

async function startPooler(pooler: Pooler): Promise<string> {
  const service = await startPgBouncer(postgres, pooler)
  onTestFinished(() => service.stop())
  return service.url
}

const open = (databaseUrl: string) => openDatabase({ databaseUrl, dataDir: '', databasePoolSize: 3 })

async function refusalAt(databaseUrl: string): Promise<string> {
  const refusal = await open(databaseUrl).then(
    database => database.close().then(() => 'none'),
    error => error,
  )
  expect(refusal).toBeInstanceOf(StartRefused)
  return refusal.message
}

async function run(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

describe.skipIf(!canRun || !(fitPooler || oldPooler))(
  'a pooler that drops the settings of connections',
  () => {
    it('the message that refuses a pooler names the PgBouncer setting with which the pooler accepts our startup parameters', async () => {
      const url = await startPooler({ ignored: 'extra_float_digits' })

      expect(await refusalAt(url)).toMatch(
        /refuses our connections: unsupported startup parameter.*ignore_startup_parameters = statement_timeout,/,
      )
    })

    it('the message that refuses a pooler contains statements for the role, and running these statements is sufficient', async () => {
      await run(
        `ALTER ROLE postgres SET timezone = 'America/New_York'`,
        `ALTER ROLE postgres SET datestyle = 'SQL, DMY'`,
        'ALTER ROLE postgres SET standard_conforming_strings = off',
        'ALTER ROLE postgres SET search_path = other, public',
        `ALTER ROLE postgres SET default_transaction_isolation = 'serializable'`,
      )
      onTestFinished(() => run('ALTER ROLE postgres RESET ALL'))

      const message = await refusalAt(await startPooler({}))
      const statements = message.match(/ALTER ROLE [^;]+;/g) ?? []
      await run(...statements)
      const database = await open(await startPooler({}))
      await database.close()

      expect(statements).toEqual(settingsForPooler.map(setting => `ALTER ROLE postgres SET ${setting};`))
      expect(message).toContain('RECONNECT')
    })
  },
)

describe.skipIf(!canRun)('a pooler in transaction mode', () => {
  beforeAll(() => setForPooler(postgres))

  it('the check of a pooler closes the connections that it has opened', async () => {
    // A plain pool, which behaves like a pooler that drops the settings of connections.
    const pool = testPool({ connectionString: postgres.url })

    expect(await detectWay(pool, clientsOf(postgres.url))).toBe('pooled by session')

    const left = () => pool.query(`select from pg_stat_activity where application_name = 'animal-store'`)
    await expect.poll(async () => (await left()).rowCount).toBe(0)
  })

  it.skipIf(!oldPooler)(
    'a pooler in transaction mode without prepared statements is refused, and the message names the settings that help',
    async () => {
      const url = await startPooler({ command: String(oldPooler), mode: 'transaction' })

      expect(await refusalAt(url)).toMatch(
        /1\.21 or newer.*max_prepared_statements = 200.*pool_mode = session/,
      )
    },
  )

  it.skipIf(!fitPooler)('a start at a PgBouncer with max_prepared_statements = 0 is refused', async () => {
    const more = ['max_prepared_statements = 0']
    const url = await startPooler({ command: String(fitPooler), mode: 'transaction', more })

    expect(await refusalAt(url)).toContain('max_prepared_statements = 200')
  })

  it.skipIf(!fitPooler)(
    'a PgBouncer that accepts no more clients is reported as one without a free connection',
    async () => {
      const url = await startPooler({ command: String(fitPooler), more: ['max_client_conn = 1'] })
      const first = new pg.Client(url)
      await first.connect()
      onTestFinished(() => first.end())

      const database = await open(url)
      onTestFinished(() => database.close())

      expect(database.outage.reason()).toBe('it has no connection left')
    },
  )

  it.skipIf(!fitPooler)('with DATABASE_DIRECT_URL, migrations bypass the pooler', async () => {
    const empty = `empty_${randomUUID().slice(0, 8)}`
    await run(`create database ${empty}`)
    const direct = postgres.url.replace(/postgres$/, empty)
    const pooled = (await startPooler({ command: String(fitPooler), mode: 'transaction' })).replace(
      /postgres$/,
      empty,
    )

    expect(await refusalAt(pooled)).toContain('set DATABASE_DIRECT_URL to the address of PostgreSQL itself')

    const database = await openDatabase({ databaseUrl: pooled, databaseDirectUrl: direct, dataDir: '' })
    onTestFinished(() => database.close())
    expect(await database.db.plan.count()).toBe(4)
  })
})

describe.skipIf(!canRun || !fitPooler)('two processes with too few connections', () => {
  let apps: App[]
  let project: TestProject
  let pooler: Service
  beforeAll(async () => {
    await setForPooler(postgres)
    pooler = await startPgBouncer(postgres, {
      command: String(fitPooler),
      mode: 'transaction',
      size: 4,
      more: ['max_prepared_statements = 20'],
    })
    const env = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: postgres.url }
    apps = [await startApp({ env }), await startApp({ env })]
    project = await must(apps[0]).makeProject({ perMinute: 100_000, perDay: 100_000 })
  })
  afterAll(async () => {
    for (const app of apps ?? []) await app.stop()
    await pooler?.stop()
  })

  it('two processes with too few connections answer all requests correctly over REST and GraphQL', async () => {
    const [one, other] = apps.map(({ url }) => url)
    const ask = (url: string | undefined, path: string, body?: unknown) =>
      fetch(`${url}${path}`, {
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        headers: { authorization: `Bearer ${project.secret}`, 'content-type': 'application/json' },
      }).then(async answer => ({ status: answer.status, body: (await answer.json()) as never }))
    const add = (n: number) => ask(n % 2 ? one : other, '/v1/pets', { name: `Rex ${n}`, categoryId: n })
    const query = `mutation ($name: String!) { createPet(input: { name: $name, categoryId: "1" }) { id name } }`

    const numbers = Array.from({ length: 150 }, (_, n) => n)
    const added = await Promise.all(numbers.map(add))
    const byGraphql = await Promise.all(
      numbers.map(n => ask(n % 2 ? other : one, '/graphql', { query, variables: { name: `Milo ${n}` } })),
    )
    const ids = added.map(({ body }: { body: { id: number } }) => body.id)
    const found = await Promise.all(ids.map((id, n) => ask(n % 2 ? other : one, `/v1/pets/${id}`)))
    const listed = await ask(one, '/v1/pets?limit=100')

    expect(new Set([...added, ...byGraphql, ...found, listed].map(({ status }) => status))).toEqual(
      new Set([200, 201]),
    )
    expect(byGraphql.filter(({ body }) => 'errors' in (body as object))).toEqual([])
    expect(found.map(({ body }: { body: { name: string } }) => body.name)).toEqual(
      numbers.map(n => `Rex ${n}`),
    )
    expect(listed.body).toHaveLength(100)
  })

  it('behind a pooler a slow statement times out, and the planner settings are those of a direct connection', async () => {
    const { database } = must(apps[0]).tools
    const show = (setting: string) =>
      database.run({ name: `show_${setting}`, text: 'select current_setting($1)', values: [setting] })

    const endless = database.run({ name: 'endless', text: 'select pg_sleep(60)::text', values: [] })
    await expect(endless).rejects.toSatisfy(isDatabaseUnavailable)

    const running = () =>
      database.run({
        name: 'running',
        text: `select count(*)::text from pg_stat_activity where state = 'active' and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`,
        values: [],
      })
    // Wait until the statement has ended: the client may time out a moment before the server.
    await expect.poll(running).toEqual([['0']])
    expect(await show('plan_cache_mode')).toEqual([['force_generic_plan']])
    expect(await show('enable_seqscan')).toEqual([['off']])
    expect(await show('TimeZone')).toEqual([['UTC']])
  })

  it('timestamps are stored in UTC behind a pooler', async () => {
    const { db } = must(apps[1]).tools
    const moment = new Date('2026-07-01T12:34:56.789Z')
    const slug = `zoned-${randomUUID().slice(0, 8)}`

    await db.project.create({ data: { slug, name: 'A store', suspendedAt: moment } })

    expect((await db.project.findUnique({ where: { slug } }))?.suspendedAt).toEqual(moment)
  })
})

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('there is none')
  return value
}
