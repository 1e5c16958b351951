import { existsSync } from 'node:fs'
import { readConfig } from './config.ts'
import { openDatabase } from './database/open-database.ts'
import { StartRefused } from './tools/start-refused.ts'

/** Migrates the database and exits. Operators can run this before they start any process. */
try {
  if (existsSync('.env')) process.loadEnvFile()
  const database = await openDatabase(readConfig(process.env))
  const obstacle = database.outage.reason()
  await database.close()
  if (obstacle) throw new StartRefused(`The database cannot be migrated: ${obstacle}.`)
  console.log('The database is at this version.')
} catch (error) {
  console.error(error instanceof StartRefused ? error.message : error)
  process.exitCode = 1
}
