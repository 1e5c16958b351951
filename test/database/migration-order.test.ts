import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readMigrations } from '../../src/database/migrations.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { administer, emptyDatabase, freshDatabase } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'

const withPostgres = test.skipIf(!findProgram('postgres'))

async function configOf(make: typeof freshDatabase) {
  const { env, remove } = await make()
  onTestFinished(remove)
  return { databaseUrl: env.DATABASE_URL ?? '', dataDir: '', databasePoolSize: 2 }
}

withPostgres('one process can migrate two databases at once', async () => {
  const databases = [await configOf(emptyDatabase), await configOf(emptyDatabase)]

  const opened = await Promise.all(databases.map(openDatabase))
  for (const { close } of opened) onTestFinished(close)

  expect(await Promise.all(opened.map(({ db }) => db.plan.count()))).toEqual([4, 4])
})

withPostgres('the migration that was started first is reported if several stop the start', async () => {
  const config = await configOf(freshDatabase)
  const [first, second] = (await readMigrations()).migrationDirectories.map(({ path }) => path)
  await administer(
    config.databaseUrl,
    `update _prisma_migrations set checksum = 'other', started_at = now() - interval '1 day' where migration_name = '${second}';
     update _prisma_migrations set finished_at = null, started_at = now() where migration_name = '${first}'`,
  )

  await expect(openDatabase(config)).rejects.toThrow(`Migration ${second} was changed after`)
})

test('migrations are applied in the order of their names, whatever the order of their folders is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const names = ['20260103_c', '20260101_a', '20260110_d', '20260102_b']
  for (const name of names) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'migration.sql'), `-- ${name}`)
  }
  writeFileSync(join(folder, 'migration_lock.toml'), 'provider = "postgresql"')

  const { migrationDirectories, lockfile } = await readMigrations(folder)

  expect(lockfile.content).toBe('provider = "postgresql"')
  expect(migrationDirectories.map(({ path, migrationFile: { content } }) => [path, content])).toEqual(
    names.toSorted().map(name => [name, { tag: 'ok', value: `-- ${name}` }]),
  )
})
