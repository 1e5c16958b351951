import { afterEach, describe, expect, it, vi } from 'vitest'
import { beginEra, sweepLog, triggers } from '../../src/database/change-log.ts'
import { administer } from '../support/databases.ts'
import { addPets, follow, session } from '../support/follow-changes.ts'
import { findProgram } from '../support/programs.ts'

afterEach(() => void vi.useRealTimers())

const cutConnections = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`
async function letIn(databaseUrl: string, isAllowed: boolean): Promise<void> {
  const url = new URL(databaseUrl)
  const name = url.pathname.slice(1)
  url.pathname = 'postgres'
  await administer(url.href, `ALTER DATABASE ${name} ALLOW_CONNECTIONS ${isAllowed}`)
}
/**
 * The last statement of pg_restore --disable-triggers. The statement changes the triggers of pets from ENABLE ALWAYS to
 * plain ENABLE. The log of changes needs ENABLE ALWAYS, so the log counts these triggers as turned off.
 */
const turnOff = 'ALTER TABLE pets ENABLE TRIGGER USER'

describe.skipIf(!findProgram('postgres'))('faults of the log of changes', () => {
  it('triggers that are still off after an outage are logged with the repair statement, and the outage ends', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { databaseUrl, database, look, said, counts } = await follow()
    await administer(databaseUrl, cutConnections)
    await expect(look()).rejects.toThrow()

    await administer(databaseUrl, turnOff)
    vi.advanceTimersByTime(5_001)
    for (let time = 0; time < 3; time++) await expect(look()).rejects.toThrow()

    expect(database.outage.reason()).toBeNull()
    expect(said).toEqual([
      expect.stringMatching(/^The database cannot serve: /),
      'The database serves again',
      expect.stringMatching(
        /^Some changes of the database are not logged; .* Repair it with: ALTER TABLE pets /,
      ),
    ])
    const line = said[2] ?? ''

    // An outage while the fault lasts is logged, but the fault itself is not logged again.
    await letIn(databaseUrl, false)
    await expect(database.ping()).rejects.toThrow()
    for (let time = 0; time < 3; time++) await expect(look()).rejects.toThrow()
    await letIn(databaseUrl, true)
    for (let time = 0; time < 3; time++) await expect(look()).rejects.toThrow()
    await administer(databaseUrl, line.slice(line.indexOf('ALTER TABLE')))
    expect(await look()).toEqual([null])
    expect(said.slice(3)).toEqual([
      'The database cannot serve: it accepts no connections',
      'All caches were cleared: changes were not logged for a while.',
    ])
    expect(counts.timesForgotten).toBe(1)
  })

  it('an unreadable log of changes is logged once, even after an outage, and clears all caches when it can be read again', async () => {
    const { databaseUrl, look, said, counts } = await follow()
    // Break the log with a division by zero, because that error counts as a bug. A missing table or column does not,
    // because a restore can cause such an error too.
    const breakLog = `ALTER TABLE changes RENAME TO mislaid_changes;
      CREATE VIEW changes AS SELECT * FROM mislaid_changes WHERE 1 / 0 = 1`
    await administer(databaseUrl, cutConnections)
    await expect(look()).rejects.toThrow()

    for (const time of [1, 2]) {
      said.length = 0
      await administer(databaseUrl, breakLog)
      for (let times = 0; times < 3; times++) await expect(look()).rejects.toThrow()
      await administer(databaseUrl, 'DROP VIEW changes; ALTER TABLE mislaid_changes RENAME TO changes')

      expect(await look()).toEqual([null])
      expect(await look()).toEqual([])
      expect(said).toEqual([
        'The log of changes cannot be read; nothing is cached until it can be read',
        'All caches were cleared: the log of changes could not be read for a while.',
      ])
      expect(counts.timesForgotten).toBe(time)
    }
  })

  it('the log of changes ignores the triggers of a copy of the tables in another schema', async () => {
    const { sql, look, said, changes } = await follow()
    const copied = triggers.pets.map(
      name => `CREATE TRIGGER ${name} AFTER TRUNCATE ON old.pets FOR EACH STATEMENT EXECUTE FUNCTION log_pets();
        ALTER TABLE old.pets ENABLE ALWAYS TRIGGER ${name};`,
    )
    await sql(`CREATE SCHEMA old; CREATE TABLE old.pets (LIKE pets); ${copied.join('')}`)

    expect(await look()).toEqual([])
    expect(changes.isTrusted(60_000)).toBe(true)
    await sql(turnOff)
    await expect(look()).rejects.toThrow()

    const mending = said[0]?.match(/ALTER TABLE pets ENABLE ALWAYS TRIGGER \w+;/g)
    expect(mending?.map(statement => statement.match(/log_\w+/)?.[0])).toEqual(triggers.pets)
  })

  it('if several processes find the table changes_state empty at the same time, they insert only one row', async () => {
    const { database, sql, look } = await follow()
    await sql('DELETE FROM changes_state')

    await Promise.all([beginEra(database), beginEra(database), beginEra(database)])

    expect(await sql('SELECT FROM changes_state')).toHaveLength(1)
    expect(await look()).toEqual([null])
    expect(await look()).toEqual([])
  })
})

describe.skipIf(!findProgram('postgres'))('a sweep of the log of changes', () => {
  const since = (interval: string) => `UPDATE changes_state SET swept_at = now() - interval '${interval}'`
  const sweeps = async ({ sql }: Awaited<ReturnType<typeof follow>>) =>
    Number((await sql('SELECT sweep FROM changes_state'))[0]?.sweep)

  it('all processes together sweep the log of changes at most once in 55 seconds, even after a clock was set back', async () => {
    const follower = await follow()
    const { database, sql } = follower

    // A sweep is due 55 s after the last sweep. Test with 45 s that no sweep is due, because with almost 55 s, slow
    // statements on a busy machine could make the sweep due.
    await sql(since('45 s'))
    await sweepLog(database)
    expect(await sweeps(follower)).toBe(0)
    await sql(since('56 s'))
    for (let process = 0; process < 3; process++) await sweepLog(database)
    expect(await sweeps(follower)).toBe(1)
    // Rounding may put the time of the last sweep a millisecond into the future. Such a time must not cause another
    // sweep.
    await sql(since('-0.001 s'))
    await sweepLog(database)
    expect(await sweeps(follower)).toBe(1)
    await sql(since('-1 hour'))
    for (let process = 0; process < 3; process++) await sweepLog(database)
    expect(await sweeps(follower)).toBe(2)
  })

  it('while one process sweeps the log of changes, another process skips its sweep without waiting', async () => {
    const follower = await follow()
    const { database, databaseUrl, sql } = follower
    await sql(since('1 minute'))
    const another = await session(databaseUrl)
    await another('BEGIN; SELECT FROM changes_state FOR UPDATE')

    await sweepLog(database)

    await another('ROLLBACK')
    expect(await sweeps(follower)).toBe(0)
    await sweepLog(database)
    expect(await sweeps(follower)).toBe(1)
  })

  it('a sweep deletes changes with transaction ids of another server, because every read of the log would return these changes again', async () => {
    const { database, sql, look } = await follow()
    await sql(addPets(1, 1))
    await sql(`UPDATE changes SET xid = '999999999999' WHERE least_id = 1`)
    expect(await look()).toEqual(['pets 1 1'])
    await sql(since('1 minute'))

    await sweepLog(database)

    expect(await look()).toEqual([])
    expect(await sql('SELECT FROM changes WHERE least_id = 1')).toEqual([])
  })
})
