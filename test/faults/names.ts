import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { databaseAway } from './away.ts'
import type { Fault } from './fault.ts'
import { askDatabase, type GroundPlan } from './ground.ts'
import { withoutMounts } from './mounts.ts'

const host = 'database.internal'
const folder = mkdtempSync(join(tmpdir(), 'animal-store-names-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const hosts = join(folder, 'hosts')
const toKnow = (isKnown: boolean) =>
  writeFileSync(hosts, `127.0.0.1 localhost\n${isKnown ? `127.0.0.1 ${host}\n` : ''}`)

/**
 * Services whose processes reach PostgreSQL by a host name that only these processes can resolve, and as a user with a
 * password.
 */
const named: GroundPlan = {
  async address({ url, port }) {
    toKnow(true)
    await askDatabase(url, `CREATE ROLE shop SUPERUSER LOGIN PASSWORD 'old'`)
    const rules = `VALUES ('host all shop all scram-sha-256'), ('host all all all trust'), ('local all all trust')`
    const write = `COPY (%s) TO %L', $$${rules}$$, current_setting('hba_file')`
    await askDatabase(url, `DO $do$ BEGIN EXECUTE format('${write}); END $do$`)
    await askDatabase(url, 'SELECT pg_reload_conf()')
    const mount = `mount --bind ${hosts} /etc/hosts && exec "$@"`
    return {
      url: `postgresql://shop:old@${host}:${port}/postgres`,
      way: { under: ['unshare', '--mount', 'sh', '-c', mount, 'sh'] },
      stop: () => {},
    }
  },
}
const endAll = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'shop'`

export const nameFaults: Fault[] = [
  {
    name: 'postgres-password',
    what: 'PostgreSQL has another password for 3 s, and all connections end (28P01)',
    ground: named,
    promises: { ...databaseAway, says: /cannot serve: / },
    async happen({ sql }) {
      await sql(`ALTER ROLE shop PASSWORD 'new'`)
      await sql(endAll)
      await pause(3_000)
      await sql(`ALTER ROLE shop PASSWORD 'old'`)
    },
    obstacle: withoutMounts,
  },
  {
    name: 'postgres-name-gone',
    what: "The name of PostgreSQL's host is not known for 3 s, and all connections end",
    ground: named,
    promises: { ...databaseAway, says: /cannot serve: / },
    async happen({ sql }) {
      toKnow(false)
      await sql(endAll)
      await pause(3_000)
      toKnow(true)
    },
    obstacle: withoutMounts,
  },
]
