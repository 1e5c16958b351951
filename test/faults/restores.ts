import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { triggers } from '../../src/database/change-log.ts'
import { findProgram } from '../support/programs.ts'
import type { Fault } from './fault.ts'
import { plain } from './ground.ts'
import type { Load } from './load.ts'

/**
 * How long a fault waits after a change of the database. Readers must see the change after 250 ms, so a reader who
 * still gets the old state is noticed during the wait.
 */
const whileMs = 1_500

/** Faults that change the database without a request. */
export const restores: Fault[] = [
  {
    name: 'postgres-restored',
    what: 'A backup is restored in place (`deploy/postgres/restore.sh`) while all processes serve',
    ground: plain,
    promises: {
      refuses: true,
      says: /its? tables were replaced|the tables were replaced/,
      about: /database|forgotten/,
      mostLines: 3,
    },
    async happen({ postgres }, load) {
      const folder = mkdtempSync(join(tmpdir(), 'animal-store-backup-'))
      const backup = join(folder, 'backup')
      await load.restWrites()
      execFileSync(findProgram('pg_dump') ?? '', ['-Fc', '-f', backup, postgres.url])
      const before = versionsOf(load)
      await load.changeEach()
      await pause(200)
      execFileSync('bash', ['deploy/postgres/restore.sh', backup], {
        env: { ...process.env, DATABASE_URL: postgres.url },
      })
      for (const [versions, version] of before) versions.undoAbove(version)
      await pause(whileMs)
      rmSync(folder, { recursive: true })
      load.writeOn()
    },
  },
  {
    name: 'edited-by-hand',
    what: 'Somebody edits pets by `psql`, then edits them again in the replica role, in which no triggers run',
    ground: plain,
    short: true,
    promises: {},
    happen: ({ sql }, load) => editTwice(load, sql, ['', 'SET session_replication_role = replica;']),
  },
  {
    name: 'triggers-off',
    what: 'Somebody switches off the triggers of the log of changes, edits pets, and switches the triggers on after 2 s',
    ground: plain,
    promises: {
      says: /changes of the database are not logged.* Repair it with: ALTER TABLE pets ENABLE ALWAYS TRIGGER/,
      mostLines: 2,
      mostErrors: 1,
    },
    async happen({ sql }, load) {
      // Disable only the triggers of the log of changes. The other triggers write events and counts, and nobody could
      // restore the events and counts that disabled triggers did not write.
      const off = triggers.pets.map(name => `ALTER TABLE pets DISABLE TRIGGER ${name};`)
      await editTwice(load, sql, [off.join(' ')])
      await pause(500)
      for (const name of triggers.pets) await sql(`ALTER TABLE pets ENABLE ALWAYS TRIGGER ${name}`)
    },
  },
]

function versionsOf({ ledger }: Load) {
  return [...ledger.watched.values()].map(versions => [versions, versions.acknowledged()] as const)
}

/**
 * For each statement in `befores`, sends one SQL text: the statement, and then an update of every watched pet. Expects
 * readers to see each update in time.
 */
async function editTwice(
  load: Load,
  sql: (text: string) => Promise<unknown>,
  befores: string[],
): Promise<void> {
  await load.restWrites()
  for (const before of befores) {
    const edits = [...load.ledger.watched].map(([id, versions]) => ({
      id,
      versions,
      version: versions.next(),
    }))
    const updates = edits.map(
      ({ id, version }) => `UPDATE pets SET name = 'watched-v${version}' WHERE id = ${id};`,
    )
    await sql(`${before} ${updates.join(' ')}`)
    // The change is committed: from now on readers have 250 ms to see it.
    for (const { versions, version } of edits) versions.see(version)
    await pause(whileMs)
  }
  load.writeOn()
}
