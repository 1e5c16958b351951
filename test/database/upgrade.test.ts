import { expect, onTestFinished, test } from 'vitest'
import { inviteFirstOwner } from '../../src/core/people/invitations.ts'
import { clientsOf } from '../../src/database/clients.ts'
import { migrateOnce } from '../../src/database/migrate-postgres.ts'
import { readMigrations } from '../../src/database/migrations.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { emptyDatabase, testPool } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'

const withPostgres = test.skipIf(!findProgram('postgres'))

/** Creates a database with the migrations before `first`, and with the project `zoo`. `upgrade` runs the others. */
async function databaseBefore(first: string) {
  const { env, remove } = await emptyDatabase()
  onTestFinished(remove)
  const databaseUrl = env.DATABASE_URL ?? ''
  const pool = testPool({ connectionString: databaseUrl, max: 1 })
  const all = await readMigrations()
  const before = all.migrationDirectories.filter(({ path }) => path < first)
  await migrateOnce(pool, { ...all, migrationDirectories: before }, clientsOf(databaseUrl))
  await pool.query(`INSERT INTO projects (slug, name) VALUES ('zoo', 'Zoo')`)
  return {
    databaseUrl,
    run: async (sql: string) => (await pool.query(sql)).rows,
    upgrade: () => migrateOnce(pool, all, clientsOf(databaseUrl)),
  }
}

withPostgres(
  'the first start after an upgrade ends the first owner’s link that the older version has made',
  async () => {
    const { databaseUrl, run, upgrade } = await databaseBefore('20261130143500')
    await run(`INSERT INTO invitations (id, project_id, role, hash, created_at, expires_at)
    SELECT gen_random_uuid(), 1, role::role, sha256(role::bytea), now(), now() + interval '7 days'
    FROM unnest('{owner,developer}'::text[]) AS role`)
    const told = `SELECT count(*)::int FROM told WHERE type LIKE 'invitation.%'`
    const [before] = await run(told)

    await upgrade()

    expect(await run(told)).toEqual([before])
    const { db, close } = await openDatabase({ databaseUrl, dataDir: '', databasePoolSize: 2 })
    onTestFinished(close)
    await inviteFirstOwner(db, systemClock, 'zoo', null)
    expect(
      await run(`SELECT role, hash = sha256(role::text::bytea) AS older FROM invitations ORDER BY role`),
    ).toEqual([
      { role: 'developer', older: true },
      { role: 'owner', older: false },
    ])
  },
)

withPostgres(
  'an upgrade deletes the counts of categories that were empty before, and no other counts',
  async () => {
    const { run, upgrade } = await databaseBefore('20261130181200')
    await run(`INSERT INTO pet_counts (project_id, what, count)
    VALUES (1, 'category 1', 0), (1, 'category 2', 3), (1, 'sold', 0)`)

    await upgrade()

    expect(await run('SELECT what, count::int FROM pet_counts ORDER BY what')).toEqual([
      { what: 'category 2', count: 3 },
      { what: 'sold', count: 0 },
    ])
  },
)
