import pg, { type PoolClient } from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openOutage } from '../../src/database/outage.ts'
import { runFor } from '../../src/database/owner.ts'
import { SharedPool } from '../../src/database/shared-pool.ts'
import { findProgram } from '../support/programs.ts'
import { startApp } from '../support/start-app.ts'

test.skipIf(!findProgram('postgres'))(
  'a request that finds all connections in use gets 503 "busy", and no outage is reported',
  async () => {
    const app = await startApp({ env: { DATABASE_POOL_SIZE: '3', METRICS_PORT: '0' } })
    onTestFinished(() => app.stop())
    const project = await app.makeProject()
    const { pool, outage } = app.tools.database
    const held: PoolClient[] = []
    for (let n = 0; n < 2; n++) if (pool) held.push(await pool.connect())

    const [rest, graphql, health] = await Promise.all([
      project.get('/v1/store/orders'),
      project.post('/graphql', { query: '{ orders { nodes { id } } }' }),
      app.readiness(),
    ])
    for (const client of held) client.release()

    const busy = 'The store is busy; try again in a moment.'
    expect(rest).toMatchObject({ status: 503, json: { code: 'unavailable', message: busy } })
    expect(graphql.json).toMatchObject({ errors: [{ message: busy, extensions: { code: 'unavailable' } }] })
    expect(health).toMatchObject({ status: 200, json: { status: 'ready', database: 'busy' } })
    expect(outage.timesBusy()).toBeGreaterThanOrEqual(2)
    expect(outage.reason()).toBeNull()
    expect((await project.get('/v1/store/orders')).status).toBe(200)
  },
)

test('a full pool is logged once, however many requests wait, and not during an outage', () => {
  const lines: string[] = []
  const outage = openOutage()
  outage.logTo(pino({}, { write: line => lines.push(JSON.parse(line).msg) }))
  const full = new Error('timeout exceeded when trying to connect')

  for (let n = 0; n < 3; n++) expect(outage.note(full)).toBe(true)
  expect(lines).toEqual([expect.stringMatching(/^The database is busy: no connection .* was free in time/)])
  outage.note(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
  outage.note(full)

  expect(lines.slice(1)).toEqual(['The database cannot serve: the connection is refused'])
  expect(outage.timesBusy()).toBe(4)
})

test('the log of the embedded database advises PostgreSQL instead of a bigger pool', () => {
  const lines: string[] = []
  const outage = openOutage(() => {}, 'set DATABASE_URL')
  outage.logTo(pino({}, { write: line => lines.push(JSON.parse(line).msg) }))

  outage.note(new Error('timeout exceeded when trying to connect'))

  expect(lines).toEqual([expect.stringMatching(/^The database is busy: .* set DATABASE_URL$/)])
})

test('the log says that one project used its whole share of the connections, and does not advise a bigger pool', async () => {
  const lines: string[] = []
  const outage = openOutage()
  outage.logTo(pino({}, { write: line => lines.push(JSON.parse(line).msg) }))
  const pool = new SharedPool({ max: 4, connectionTimeoutMillis: 1, Client: IdleClient })
  const connect = (owner: number) => runFor(owner, () => pool.connect()).catch(error => outage.note(error))

  for (let n = 0; n < 4; n++) await connect(1)
  expect(lines).toEqual([expect.stringMatching(/^One project used its whole share of the connections/)])
  for (let n = 0; n < 3; n++) await connect(2)

  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^The database is busy: .* raise DATABASE_POOL_SIZE/),
  ])
  expect(outage.timesBusy()).toBe(3)
})

class IdleClient extends pg.Client {
  override connect(): Promise<pg.Client>
  override connect(done: (error: null, client: pg.Client) => void): void
  override connect(done?: (error: null, client: pg.Client) => void): Promise<pg.Client> | undefined {
    return done ? void done(null, this) : Promise.resolve(this)
  }
}
