import { rmSync } from 'node:fs'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { clientsOf } from '../../src/database/clients.ts'
import { whyUnavailable } from '../../src/database/faults.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { makeAuthority } from '../support/authority.ts'
import { startHoldingProxy } from '../support/holding-proxy.ts'
import { until } from '../support/hosting.ts'
import { findProgram } from '../support/programs.ts'
import { copyPostgres, postgresAccount, type Service, startPostgres } from '../support/services.ts'

const withPostgres = test.skipIf(!findProgram('postgres'))

async function start(settings?: Record<string, string>): Promise<Service> {
  const postgres = await startPostgres(settings)
  onTestFinished(() => postgres.stop())
  return postgres
}

async function open(databaseUrl: string) {
  const database = await openDatabase({ databaseUrl, dataDir: '', databasePoolSize: 4 })
  onTestFinished(() => database.close())
  await database.migrated
  return database
}

const portOf = "select inet_server_port()::text as port, current_setting('TimeZone') as zone"

withPostgres('a connection that PostgreSQL ends while it accepts it does not end the process', async () => {
  const postgres = await start()
  const proxy = await startHoldingProxy(postgres.port)
  onTestFinished(() => proxy.stop())
  const Client = clientsOf(`postgresql://postgres@127.0.0.1:${proxy.port}/postgres`)
  const dba = new pg.Client({ connectionString: postgres.url })
  await dba.connect()
  onTestFinished(() => dba.end())

  proxy.hold()
  const client = new Client({ application_name: 'just let in' })
  const connected = client.connect()
  const isLetIn = () => dba.query(`select pid from pg_stat_activity where application_name = 'just let in'`)
  const { rows } = await until(isLetIn, ({ rowCount }) => rowCount === 1)
  await dba.query('select pg_terminate_backend($1)', [rows[0].pid])
  await until(
    async () => proxy.held(),
    said => said.includes('57P01'),
  )
  // The client receives two messages together: that the connection is accepted, and that it ends.
  proxy.release()

  await connected
  await expect(client.query('select 1')).rejects.toThrow()
})

withPostgres(
  'the service finds the writable one of several hosts, and its replica once that is promoted',
  async () => {
    const primary = await start()
    await (await openDatabase({ databaseUrl: primary.url, dataDir: '' })).close()
    const replica = await copyPostgres(primary)
    onTestFinished(() => replica.stop())
    const hosts = `127.0.0.1:${replica.port},127.0.0.1:${primary.port}`
    const { db, openLine } = await open(
      `postgresql://postgres@${hosts}/postgres?target_session_attrs=read-write&options=-c%20work_mem%3D5MB`,
    )
    const addProject = (slug: string) => db.project.create({ data: { slug, name: 'A store' } })
    const line = await openLine()
    onTestFinished(() => line.close().catch(() => {}))
    const found = await db.$queryRawUnsafe(portOf)
    await addProject('before')
    expect(found).toEqual([{ port: String(primary.port), zone: 'UTC' }])
    expect(await db.$queryRawUnsafe('show work_mem')).toEqual([{ work_mem: '5MB' }])

    const client = new pg.Client(replica.url)
    await client.connect()
    // Wait until every connection of the service to the read-only server is closed.
    await until(
      () => client.query(`select from pg_stat_activity where application_name = 'animal-store'`),
      ({ rowCount }) => rowCount === 0,
    )

    await primary.kill9()
    await client.query('select pg_promote()')
    await client.end()

    await until(
      () => addProject('after').then(String, () => null),
      added => added !== null,
    )
    expect(await db.$queryRawUnsafe(portOf)).toEqual([{ port: String(replica.port), zone: 'UTC' }])
  },
)

withPostgres('an unreachable host is skipped at the start', async () => {
  const [away, there] = [await start(), await start()]
  await away.kill9()

  const { db } = await open(`postgresql://postgres@127.0.0.1:${away.port},127.0.0.1:${there.port}/postgres`)

  expect(await db.plan.count()).toBe(4)
})

withPostgres.each([
  ['at a port that is closed', 'the connection is refused'],
  ['at a unix socket that is removed', 'it cannot be reached'],
] as const)('a stopped PostgreSQL is reported as unavailable, %s', async (where, reason) => {
  const { folder, port, stop } = await start()
  const host = where === 'at a port that is closed' ? '127.0.0.1' : encodeURIComponent(folder)
  const { db } = await open(`postgresql://postgres@${host}:${port}/postgres`)
  await stop()

  const reasonOf = (attempt: Promise<unknown>) => attempt.catch(error => whyUnavailable(error)?.reason)
  // After the stop, the pool still holds broken connections, so the first statements may fail for another reason.
  // Repeat the statement until the pool tries to open a new connection.
  await expect.poll(() => reasonOf(db.plan.count())).toBe(reason)
  expect(await reasonOf(db.$transaction(tx => tx.plan.count()))).toBe(reason)
  expect(await reasonOf(db.$queryRawUnsafe('select 1'))).toBe(reason)
})

withPostgres('DATABASE_URL may name a unix socket', async () => {
  const { folder, port } = await start()
  const host = encodeURIComponent(folder)

  for (const url of [
    `postgresql:///postgres?host=${host}&port=${port}&user=postgres`,
    `postgresql://postgres@${host}:${port}/postgres`,
  ]) {
    const { db } = await open(url)
    expect(await db.$queryRawUnsafe('select inet_server_addr()::text as address')).toEqual([
      { address: null },
    ])
  }
})

test.skipIf(!['postgres', 'openssl'].every(findProgram))(
  'TLS trusts only the authority that DATABASE_URL names',
  async () => {
    const [own, other] = [makeAuthority(postgresAccount()), makeAuthority(undefined)]
    onTestFinished(() => {
      for (const { folder } of [own, other]) rmSync(folder, { recursive: true })
    })
    const { port } = await start({ ssl: 'on', ssl_cert_file: own.certificate, ssl_key_file: own.key })
    const at = (host: string, ca: string) =>
      `postgresql://postgres@${host}:${port}/postgres?sslmode=verify-full&sslrootcert=${ca}`

    const { db } = await open(at('localhost', own.ca))

    const encrypted = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()'
    expect(await db.$queryRawUnsafe(encrypted)).toEqual([{ ssl: true }])
    for (const databaseUrl of [at('localhost', other.ca), at('127.0.0.1', own.ca)]) {
      const database = await openDatabase({ databaseUrl, dataDir: '' })
      expect(database.outage.reason()).toBe('its certificate is not trusted')
      await database.close()
    }
    await expect(open(at('localhost', '/absent.pem'))).rejects.toThrow(
      /names a file that cannot be read: .*absent\.pem/,
    )
  },
)
