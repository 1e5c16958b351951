import { mkdirSync } from 'node:fs'
import type { Config } from './config.ts'
import { actAsSystem, manage } from './core/acts.ts'
import type { Db } from './core/db.ts'
import { isUsable } from './core/keys/api-keys.ts'
import { createDemo, issueDemoKey } from './core/projects/demo.ts'
import { hashSecret, makeSecret } from './core/secrets.ts'
import type { PrismaClient } from './generated/prisma/client.ts'
import type { Clock } from './tools/clock.ts'
import {
  type Credentials,
  readCredentials,
  removeCredentials,
  writeCredentials,
} from './tools/credentials.ts'
import { refusalOfDataDir } from './tools/data-dir.ts'

/** Creates the demo project and its keys in an empty store. Later starts find and return both. */
export async function prepareDemo(
  config: Config,
  db: PrismaClient,
  clock: Clock,
): Promise<Credentials | null> {
  const isEmbedded = config.databaseUrl === null
  if (!isEmbedded && !config.seedDemo) return null
  const stored = readCredentials(config.dataDir)
  const url = `http://localhost:${config.port}`
  // A configured operator key is not written to disk. If none is configured, a service with the embedded database uses
  // the stored operator key, or creates one.
  const operatorKey =
    config.operatorKeys.length > 0 || !isEmbedded ? null : (stored?.operatorKey ?? makeSecret())
  const found = await findCredentials(config, db, clock)
  if (found?.url === url && found.operatorKey === operatorKey) return found

  let isIssued = false
  const prepared = actAsSystem('first start', () =>
    manage(db, async tx => {
      // Processes that start together take turns here: one creates the demo, the others find it. Processes that share
      // DATA_DIR also take turns to write the file.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('animal-store demo', 0))`
      const foundMeanwhile = await findCredentials(config, tx, clock)
      if (foundMeanwhile) {
        const credentials = { ...foundMeanwhile, url, operatorKey }
        keep(config, credentials)
        return credentials
      }
      if ((await tx.project.count()) === 0) await createDemo(tx)
      const issued = await issueDemoKey(tx, clock)
      if (!issued) return null
      const credentials = { url, operatorKey, project: 'demo', apiKey: issued.secret }
      keep(config, credentials)
      isIssued = true
      return credentials
    }),
  )
  return prepared.catch(error => {
    // The transaction was rolled back, so the key in the file does not exist. Remove the file; the next attempt issues
    // another key.
    if (isIssued) removeCredentials(config.dataDir)
    throw error
  })
}

/** Returns the stored credentials, unless they are those of another database or the API key has ended. */
async function findCredentials({ dataDir }: Config, db: Db, clock: Clock): Promise<Credentials | null> {
  const stored = readCredentials(dataDir)
  if (!stored) return null
  const key = await db.apiKey.findUnique({ where: { hash: new Uint8Array(hashSecret(stored.apiKey)) } })
  return key && isUsable(key, new Date(clock.now())) ? stored : null
}

function keep({ dataDir }: Config, credentials: Credentials): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writeCredentials(dataDir, credentials)
  } catch (error) {
    throw refusalOfDataDir(dataDir, error)
  }
}
