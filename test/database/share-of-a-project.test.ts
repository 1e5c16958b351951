import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { runFor } from '../../src/database/owner.ts'
import { canRace } from '../support/open-database.ts'
import { createPet, place } from '../support/orders.ts'
import { type App, startApp } from '../support/start-app.ts'

const poolSize = 6
/** One connection reads the log of changes. One project gets half of the other connections. */
const share = 3

async function open(env: Record<string, string>): Promise<App> {
  const app = await startApp({ env })
  onTestFinished(() => app.stop())
  return app
}

/** Sends the same request repeatedly, `width` at a time, until stopped. */
function flood(width: number, send: () => Promise<{ status: number }>) {
  const statuses: number[] = []
  let isWanted = true
  const senders = Array.from({ length: width }, async () => {
    while (isWanted) statuses.push((await send()).status)
  })
  return {
    statuses,
    async stop() {
      isWanted = false
      await Promise.all(senders)
    },
  }
}

const read = { query: '{ orders { nodes { id } } }' }

test.skipIf(!canRace())(
  'a project whose statements hang uses at most half of the connections, and other projects are answered',
  async () => {
    const app = await open({ DATABASE_POOL_SIZE: String(poolSize) })
    const attacker = await app.makeProject({ perMinute: 1_000_000, perDay: 10_000_000 })
    const victim = await app.makeProject()
    const order = await place(attacker, await createPet(attacker))
    const outside = new pg.Client({ connectionString: app.tools.config.databaseUrl ?? '' })
    await outside.connect()
    await outside.query('BEGIN')
    await outside.query('SELECT 1 FROM orders WHERE id = $1 FOR UPDATE', [order.id])
    const hanging = async () => {
      // PostgreSQL keeps the statistics of a transaction's first read. Clear them, so that the transaction also sees
      // connections that opened later.
      await outside.query('SELECT pg_stat_clear_snapshot()')
      const { rows } = await outside.query(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )
      return rows[0].n
    }

    const approval = {
      query: 'mutation($id: ID!) { approveOrder(id: $id) { id } }',
      variables: { id: order.id },
    }
    const attacks = [
      flood(20, () => attacker.post(`/v1/store/orders/${order.id}/approve`, '')),
      flood(20, () => attacker.post('/graphql', approval)),
    ]
    while ((await hanging()) < share) await pause(10)
    const seen: number[] = []
    while (seen.length < 40 || !attacks[0]?.statuses.includes(503)) {
      seen.push((await victim.get('/v1/store/orders')).status, (await victim.post('/graphql', read)).status)
      expect(await hanging()).toBeLessThanOrEqual(share)
    }
    await outside.query('ROLLBACK')
    await outside.end()
    await Promise.all(attacks.map(attack => attack.stop()))

    expect(new Set(seen)).toEqual(new Set([200]))
    expect(app.tools.database.pool?.waiting()).toBe(0)
    expect((await attacker.get('/v1/store/orders')).status).toBe(200)
  },
)

test('on the embedded database the statements of projects take turns, and timers run between them', async () => {
  const { database } = (await open({ DATABASE_URL: '' })).tools
  const [attacker, victim] = [1, 2]
  const statement = { name: 'count_far', text: 'SELECT count(*) FROM generate_series(1, 2000)', values: [] }
  let run = 0
  const timer = new Promise<number>(resolve => setTimeout(() => resolve(run)))
  const all = Array.from({ length: 200 }, () =>
    runFor(attacker, () => database.run(statement)).then(() => run++),
  )
  for (let n = 0; n < 5; n++) await runFor(victim, () => database.run(statement))
  const before = run
  await Promise.all(all)

  expect(before).toBeLessThanOrEqual(10)
  expect(await timer).toBeLessThan(100)
})
