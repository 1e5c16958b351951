import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { readConfig } from './config.ts'
import { databaseAddress } from './config-values.ts'
import { moveStore } from './database/move-store.ts'
import { readSettings } from './tools/settings.ts'
import { StartRefused } from './tools/start-refused.ts'

/** `animal-store move --to postgresql://...`: copies the embedded database in DATA_DIR to PostgreSQL, and ends. */
try {
  const to = v.safeParse(databaseAddress('--to'), readTarget())
  if (!to.success) throw new StartRefused(to.issues[0].message)
  // Read only these settings: DATABASE_URL may already name the new database, but the old one is in DATA_DIR.
  const env = readSettings()
  const { dataDir, operatorKeys } = readConfig({ DATA_DIR: env.DATA_DIR, OPERATOR_KEY: env.OPERATOR_KEY })
  const copied = await moveStore(dataDir, to.output)
  for (const { table, rows } of copied) if (rows > 0) console.log(`${String(rows).padStart(10)}  ${table}`)
  console.log(`Everything in ${dataDir} was copied and counted. Start the service with DATABASE_URL now.`)
  if (operatorKeys.length === 0 && !env.OPERATOR_KEY_FILE?.trim())
    console.log('Set OPERATOR_KEY too: a service with DATABASE_URL makes no operator key.')
  if (existsSync(join(dataDir, 'secrets.key')))
    console.log(
      `Set SECRETS_KEY to the content of ${join(dataDir, 'secrets.key')}, which seals private keys.`,
    )
} catch (error) {
  console.error(error instanceof StartRefused ? error.message : error)
  process.exitCode = 1
}

function readTarget(): string {
  try {
    const { values } = parseArgs({ args: process.argv.slice(3), options: { to: { type: 'string' } } })
    if (values.to !== undefined) return values.to
  } catch {
    // Ignore the parser's error: the error that is thrown below says how to call the command.
  }
  throw new StartRefused('Name the target: animal-store move --to postgresql://USER:PASSWORD@HOST:5432/NAME')
}
