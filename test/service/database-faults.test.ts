import { afterAll, onTestFinished as atEnd, beforeAll, describe, expect, it, vi } from 'vitest'
import { administer, freshDatabase } from '../support/databases.ts'
import { graphqlOf } from '../support/graphql.ts'
import { findProgram } from '../support/programs.ts'
import { type Service, startPostgres } from '../support/services.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { answersAt, type Running, startProcess } from '../support/start-process.ts'

const pet = { name: 'Rex', categoryId: 1 }
const addByGraphql = 'mutation { createPet(input: { name: "Rex", categoryId: "1" }) { id } }'

describe('a database that refuses statements', () => {
  let app: App
  let store: TestProject
  const sql = (text: string) => app.tools.db.$executeRawUnsafe(text)
  beforeAll(async () => {
    app = await startApp()
    store = await app.makeProject()
  })
  afterAll(() => app?.stop())

  /** Makes the database refuse each new pet with this error. */
  async function refuseBy(code: string): Promise<void> {
    await sql(`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'not now' USING ERRCODE = '${code}'; END $$`)
    await sql('CREATE OR REPLACE TRIGGER refuse BEFORE INSERT ON pets EXECUTE FUNCTION refuse()')
  }

  it.each([
    ['a full disk', '53100', 'its disk is full'],
    ['too little memory', '53200', 'it is out of memory'],
    ['no connection left', '53300', 'it has no connection left'],
    ['a deadlock', '40P01', 'statements waited for each other'],
    ['a conflict of transactions', '40001', 'statements waited for each other'],
    ['a lock that is not released', '55P03', 'statements waited for each other'],
    ['a statement that times out', '57014', 'it does not answer in time'],
    ['a revoked permission', '42501', 'it refuses a right that the service needs'],
    ['a failover', '25006', 'it takes no writes'],
    ['a disk that fails', '58030', 'its files cannot be read or written'],
  ])(
    '%s is a 503 with Retry-After over REST and GraphQL, without a stack, and /readyz names the reason',
    async (_what, code, reason) => {
      const [warn, error] = (['warn', 'error'] as const).map(level =>
        vi.spyOn(app.tools.log, level).mockImplementation(() => {}),
      )
      await refuseBy(code)

      const rest = await store.post('/v1/pets', pet)
      const graphql = await graphqlOf(app, store)(addByGraphql)
      const readiness = await app.readiness()
      await sql('DROP TRIGGER refuse ON pets')

      expect(rest).toMatchObject({
        status: 503,
        headers: { 'retry-after': '1' },
        json: { code: 'unavailable' },
      })
      expect(graphql.errors).toMatchObject([{ extensions: { code: 'unavailable', retryAfterSeconds: 1 } }])
      expect(readiness).toMatchObject({ status: 200, json: { status: 'ready', fault: reason } })
      expect(error?.mock.calls).toEqual([])
      const warnings = warn?.mock.calls.filter(([, said]) => /database cannot serve/.test(String(said)))
      // On a busy machine a statement of a background job may succeed between the two refusals, so that the warning is
      // logged twice.
      expect(warnings?.length).toBeLessThanOrEqual(2)
      expect((await store.post('/v1/pets', pet)).status).toBe(201)
      vi.restoreAllMocks()
    },
  )

  it('if tables are replaced, as by a restore, requests whose prepared statements no longer fit get a 503, and later requests succeed', async ({
    skip,
  }) => {
    if (app.tools.database.isEmbedded) return skip('PostgreSQL is not installed')
    const error = vi.spyOn(app.tools.log, 'error').mockImplementation(() => {})
    const { id } = (await store.post('/v1/pets', pet)).json as { id: number }
    const statuses: number[] = []
    const read = async (times: number) => {
      for (let i = 0; i < times; i++) statuses.push((await store.get(`/v1/pets/${id}`)).status)
    }
    // Each database connection that was used before the change of the table fails once. On a busy machine more requests
    // may fail, so twelve requests follow the change.
    for (let round = 0; round < 10 && !statuses.includes(503); round++) {
      await read(3)
      await sql(`ALTER TABLE pets ALTER COLUMN name TYPE varchar(${1000 + round})`)
      await read(12)
    }
    const readiness = await app.readiness()
    await sql('ALTER TABLE pets ALTER COLUMN name TYPE text')

    expect(new Set(statuses)).toEqual(new Set([503, 200]))
    expect(statuses.at(-1)).toBe(200)
    expect(readiness.json).toMatchObject({ fault: 'its tables were replaced' })
    expect(error.mock.calls).toEqual([])
    vi.restoreAllMocks()
    await expect.poll(async () => (await store.get(`/v1/pets/${id}`)).status).toBe(200)
  })

  it('a bug is answered with 500 and counted as failed', async () => {
    const failed = async () => {
      await app.tools.usageCounter.flush()
      const { _sum } = await app.tools.db.usage.aggregate({ _sum: { failed: true, faulty: true } })
      return [Number(_sum.failed), Number(_sum.faulty)]
    }
    const [before = 0, faulty] = await failed()
    const line = vi.spyOn(app.tools.log, 'error').mockImplementation(() => {})
    await refuseBy('22012')

    const { status } = await fetch(`${app.url}/v1/pets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${store.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(pet),
    })
    await sql('DROP TRIGGER refuse ON pets')

    expect(status).toBe(500)
    await expect.poll(failed).toEqual([before + 1, faulty])
    expect(line.mock.calls.map(([, message]) => message)).toEqual(['unhandled error'])
    vi.restoreAllMocks()
  })
})

type Line = { msg?: string; level: number; detail?: string }
/** Returns log lines, except those of requests. */
const linesOf = ({ output }: Running): Line[] =>
  output()
    .split('\n')
    .filter(text => text.startsWith('{'))
    .map(text => JSON.parse(text) as Line)
    // On a busy machine the log may also contain stalls.
    .filter(({ msg }) => msg !== undefined && !msg.includes('event loop'))
const says = (process: Running) =>
  linesOf(process)
    .map(({ msg }) => msg)
    .filter(said => !said?.startsWith('Animal Store answers'))

describe.skipIf(!findProgram('postgres'))('an unavailable PostgreSQL', () => {
  let postgres: Service
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  async function start(databaseUrl: string): Promise<Running> {
    const service = await startProcess({ DATABASE_URL: databaseUrl })
    atEnd(async () => {
      service.child.kill('SIGKILL')
      await service.ended
    })
    return service
  }

  it('an outage of PostgreSQL is logged with one line when it begins and one when it ends, even during the start', async () => {
    await postgres.kill9()
    const service = await start(postgres.url)
    const alive = () =>
      fetch(`${service.opsUrl}/readyz`).then(
        answer => answer.json(),
        () => null,
      )
    await service.printed(/cannot serve/)
    await expect.poll(alive).toMatchObject({ status: 'starting', fault: 'the connection is refused' })
    await new Promise(resolve => setTimeout(resolve, 1_500))
    expect(linesOf(service)).toMatchObject([
      {
        level: 40,
        msg: 'The database cannot serve: the connection is refused',
        detail: expect.stringContaining('ECONNREFUSED'),
      },
    ])

    await postgres.restart()
    await service.printed(answersAt)
    await service.printed(/serves again/)
    await postgres.kill9()
    const headers = { authorization: `Bearer as_${'x'.repeat(34)}` }
    for (const until = performance.now() + 2_500; performance.now() < until; ) {
      await fetch(`${service.url}/v1/pets`, { headers }).then(answer => answer.text())
    }
    await postgres.restart()
    await service.printed(/serves again.*serves again/s)

    expect(says(service)).toEqual([
      'The database cannot serve: the connection is refused',
      'The database serves again',
      // The reason in this line depends on which connection fails first.
      expect.stringMatching(
        /^The database cannot serve: (the connection (broke|is refused)|it is starting, stopping or)/,
      ),
      'The database serves again',
    ])
    expect(service.output()).not.toContain('    at ')
  }, 60_000)

  it('a rotation of the database password is logged in two lines, and requests are served afterwards', async () => {
    const admin = (text: string) => administer(postgres.url, text)
    await admin('DROP ROLE IF EXISTS shop')
    await admin(`CREATE ROLE shop SUPERUSER LOGIN PASSWORD 'old'`)
    const rules = `VALUES ('host all shop all scram-sha-256'), ('host all all all trust')`
    await admin(
      `DO $do$ BEGIN EXECUTE format('COPY (%s) TO %L', $$${rules}$$, current_setting('hba_file')); END $do$`,
    )
    await admin('SELECT pg_reload_conf()')
    const url = new URL(postgres.url)
    url.username = 'shop'
    url.password = 'old'
    const service = await start(url.href)
    await service.printed(answersAt)
    const headers = { authorization: `Bearer as_${'x'.repeat(34)}` }
    const ask = () => fetch(`${service.url}/v1/pets`, { headers })

    await admin(`ALTER ROLE shop PASSWORD 'new'`)
    // Try repeatedly, because pg_stat_activity may not yet show the role of a connection that has just logged in with
    // the old password.
    const endAll = () =>
      admin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'shop'`)
    await expect.poll(() => endAll().then(service.output)).toMatch(/cannot serve/)
    await admin(`ALTER ROLE shop PASSWORD 'old'`)
    await service.printed(/serves again/)

    expect(says(service)).toEqual([
      expect.stringMatching(/^The database cannot serve/),
      'The database serves again',
    ])
    expect((await ask()).status).toBe(401)
  })

  it('a request gets 503 while PostgreSQL accepts no connections', async () => {
    const { env, remove } = await freshDatabase()
    const app = await startApp({ env })
    atEnd(async () => {
      await app.stop()
      await remove()
    })
    const store = await app.makeProject()
    const url = new URL(env.DATABASE_URL ?? '')
    const name = url.pathname.slice(1)
    url.pathname = 'postgres'

    await administer(url.href, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
    await administer(
      url.href,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    )
    const readiness = () => app.readiness()
    await expect
      .poll(async () => (await readiness()).json)
      .toMatchObject({ fault: 'it accepts no connections' })
    const answer = await store.post('/v1/pets', pet)
    await administer(url.href, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)

    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    await expect.poll(async () => (await readiness()).status).toBe(200)
  })

  it('if PostgreSQL is killed during an order, a cancellation and a pet change, each gets a 503 and none is half done', async () => {
    const app = await startApp({ env: { DATABASE_URL: postgres.url } })
    atEnd(() => app.stop())
    const { db } = app.tools
    const store = await app.makeProject()
    const add = async () => ((await store.post('/v1/pets', pet)).json as { id: number }).id
    const [wanted, sold, renamed] = [await add(), await add(), await add()]
    const placed = (await store.post('/v1/store/orders', { petId: sold })).json as { id: number }
    const rows = async () => [
      await db.pet.findMany({ orderBy: { id: 'asc' } }),
      await db.order.findMany(),
      await db.idempotentCreation.findMany(),
      (await store.get('/v1/store/inventory')).json,
    ]
    const before = await rows()
    const acts = [
      () => store.post('/v1/store/orders', { petId: wanted, note: 'Soon' }, { 'idempotency-key': 'k' }),
      () => store.post(`/v1/store/orders/${placed.id}/cancel`, ''),
      () => store.patch(`/v1/pets/${renamed}`, { name: 'Max', status: 'sold' }),
    ]
    // Remove the function that the first try of this test may have left.
    await db.$executeRawUnsafe('DROP FUNCTION IF EXISTS dawdle CASCADE')
    // A statement writes to the log of changes last. So a trigger on the log of changes delays the statement after all
    // other rows of the statement are written.
    await db.$executeRawUnsafe(`CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$`)
    await db.$executeRawUnsafe(
      'CREATE TRIGGER dawdle BEFORE INSERT ON changes FOR EACH ROW EXECUTE FUNCTION dawdle()',
    )

    for (const act of acts) {
      const answer = act()
      await expect
        .poll(() => db.$queryRaw`SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'`, {
          interval: 20,
        })
        .toHaveLength(1)
      await postgres.kill9()
      expect(await answer).toMatchObject({
        status: 503,
        headers: { 'retry-after': '1' },
        json: { code: 'unavailable' },
      })
      await postgres.restart()
      await expect.poll(async () => (await app.readiness()).status).toBe(200)
      expect(await rows()).toEqual(before)
    }
    await db.$executeRawUnsafe('DROP TRIGGER dawdle ON changes')

    const statuses = []
    for (const act of acts) statuses.push((await act()).status)
    expect(statuses).toEqual([201, 200, 200])
  }, 120_000)
})
