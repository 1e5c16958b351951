import { mkdirSync } from 'node:fs'
import type { Config } from './config.ts'
import { createDemo, issueDemoKey } from './core/demo.ts'
import { makeSecret } from './core/secrets.ts'
import type { PrismaClient } from './generated/prisma/client.ts'
import type { Clock } from './tools/clock.ts'
import { type Credentials, readCredentials, writeCredentials } from './tools/credentials.ts'

/** Gives an empty store its demo project and the keys to try it with; a later start finds both again. */
export async function prepareDemo(
  config: Config,
  db: PrismaClient,
  clock: Clock,
): Promise<Credentials | null> {
  const isEmbedded = config.databaseUrl === null
  if (!isEmbedded && !config.seedDemo) return null
  const kept = readCredentials(config.dataDir)
  const url = `http://localhost:${config.port}`
  if (kept) {
    if (kept.url !== url) writeCredentials(config.dataDir, { ...kept, url })
    return kept
  }

  return db.$transaction(async tx => {
    // Processes that start at once take turns here, so that one of them seeds and the others find it done.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('animal-store demo', 0))`
    if ((await tx.project.count()) === 0) await createDemo(tx)
    const issued = await issueDemoKey(tx, clock)
    if (!issued) return null
    const operatorKey = config.operatorKey ?? (isEmbedded ? makeSecret() : null)
    const credentials = { url, operatorKey, project: 'demo', apiKey: issued.secret }
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
    writeCredentials(config.dataDir, credentials)
    return credentials
  })
}
