import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { postgresAccount } from '../support/services.ts'
import { databaseAway, databaseRefuses } from './away.ts'
import type { Fault } from './fault.ts'
import { type Ground, plain } from './ground.ts'
import { withoutMounts } from './mounts.ts'

const forMs = 3_000
/** A busy machine may need this long for a hundred connections. */
const mostToTakeMs = 30_000

/** Faults in which PostgreSQL runs, but refuses some or all statements. */
export const postgresRefusals: Fault[] = [
  {
    name: 'postgres-disk-full',
    what: 'The disk of the tables of pets and changes is full (53100), for 3 s',
    ground: plain,
    promises: { ...databaseRefuses, says: /cannot serve: its disk is full/, readiness: /its disk is full/ },
    happen: fillDisk,
    obstacle: withoutMounts,
  },
  {
    name: 'postgres-read-only',
    what: 'PostgreSQL accepts no writes (25006) for 3 s, as during a failover',
    ground: plain,
    promises: { ...databaseRefuses, says: /cannot serve: it takes no writes/ },
    async happen({ sql }) {
      await sql(`ALTER SYSTEM SET default_transaction_read_only = 'on'`)
      await sql('SELECT pg_reload_conf()')
      await pause(forMs)
      await sql('ALTER SYSTEM RESET default_transaction_read_only')
      await sql('SELECT pg_reload_conf()')
    },
  },
  {
    name: 'postgres-connections',
    what: 'Somebody else takes every connection of PostgreSQL (53300) for 3 s',
    ground: plain,
    promises: { ...databaseAway, readiness: null, says: /cannot serve: / },
    happen: takeConnections,
  },
  {
    name: 'postgres-locked',
    what: 'Somebody locks the table of pets for 4 s (57014: statements run out of time)',
    ground: plain,
    promises: { ...databaseRefuses, says: /cannot serve: it does not answer in time/ },
    async happen({ sql }) {
      await sql(`BEGIN; LOCK TABLE pets IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(4); COMMIT`)
    },
  },
  {
    name: 'postgres-lock-timeout',
    what: 'Somebody locks the table of pets for 3 s, and statements stop waiting for the lock after 200 ms (55P03)',
    ground: plain,
    promises: { ...databaseRefuses, says: /cannot serve: statements waited for each other/ },
    async happen({ sql }) {
      await sql(`ALTER SYSTEM SET lock_timeout = '200ms'`)
      await sql('SELECT pg_reload_conf()')
      await pause(200)
      await sql(`SET lock_timeout = 0; BEGIN; LOCK TABLE pets IN EXCLUSIVE MODE; SELECT pg_sleep(3); COMMIT`)
      await sql('ALTER SYSTEM RESET lock_timeout')
      await sql('SELECT pg_reload_conf()')
    },
  },
]

/**
 * Moves the tables to a real disk of a few megabytes and fills it. PostgreSQL's write-ahead log stays elsewhere,
 * because PostgreSQL would end without it.
 */
async function fillDisk({ sql }: Ground): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'none', folder])
  const account = postgresAccount()
  if (account) chownSync(folder, account.uid, account.gid)
  const ballast = join(folder, 'ballast')
  try {
    await sql(`CREATE TABLESPACE small LOCATION '${folder}'`)
    await moveTo(sql, 'small')
    const { bavail, bsize } = statfsSync(folder)
    writeFileSync(ballast, Buffer.alloc(bavail * bsize))
    await pause(forMs)
    rmSync(ballast)
  } finally {
    rmSync(ballast, { force: true })
    await moveTo(sql, 'pg_default')
    await sql('DROP TABLESPACE small')
    execFileSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true })
  }
}

async function moveTo(sql: Ground['sql'], space: string): Promise<void> {
  for (const table of ['pets', 'changes']) await sql(`ALTER TABLE ${table} SET TABLESPACE ${space}`)
}

/**
 * Opens connections until PostgreSQL refuses more, and ends the store's connections, so that the store gets none.
 * Continues for `forMs` after the first refusal.
 */
async function takeConnections({ postgres, sql }: Ground): Promise<void> {
  const open = async () => {
    const client = new pg.Client({ connectionString: postgres.url })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const dba = await open()
  const taken = [dba]
  const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'animal-store'`
  const giveUpAt = performance.now() + mostToTakeMs
  for (let until = Number.POSITIVE_INFINITY; performance.now() < until; ) {
    if (performance.now() > giveUpAt) throw new Error('Not every connection could be taken.')
    const more = await Promise.all(Array.from({ length: 20 }, () => open().catch(() => null)))
    taken.push(...more.filter(client => client !== null))
    if (more.includes(null)) {
      until = Math.min(until, performance.now() + forMs)
      await dba.query(end)
    }
    await pause(20)
  }
  await Promise.all(taken.map(client => client.end().catch(() => {})))
  await sql('SELECT 1')
}
