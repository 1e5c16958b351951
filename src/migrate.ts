import { existsSync } from 'node:fs'
import { readConfig } from './config.ts'
import { openDatabase } from './database/open-database.ts'
import { StartRefused } from './tools/start-refused.ts'

/** In milliseconds: how long the command waits for a database that is slow or starts again. */
const waitMs = 5_000

/** Migrates the database and exits. Operators can run this before they start any process. */
try {
  if (existsSync('.env')) process.loadEnvFile()
  const database = await openDatabase({ ...readConfig(process.env), databaseWaitMs: waitMs })
  await database.migrated.finally(database.close)
  console.log('The database is at this version.')
} catch (error) {
  console.error(error instanceof StartRefused ? error.message : error)
  process.exitCode = 1
}
