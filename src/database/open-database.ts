import { readSecretAgain, type SecretFiles } from '../tools/secret-files.ts'
import type { Database } from './database.ts'

export type DatabaseConfig = {
  databaseUrl: string | null
  /** The address of PostgreSQL itself, if `databaseUrl` is a pooler's. */
  databaseDirectUrl?: string | null
  dataDir: string
  databasePoolSize?: number
  secretFiles?: SecretFiles
  /** How long the start waits for PostgreSQL. By default, there is no limit. */
  databaseWaitMs?: number
}

/** Load only the configured kind, because each takes a large part of the start-up time. */
export async function openDatabase(config: DatabaseConfig): Promise<Database> {
  if (config.databaseUrl !== null) {
    const { openPostgres } = await import('./postgres.ts')
    const { secretFiles = {} } = config
    return openPostgres({
      readAgain: name => readSecretAgain(secretFiles, name),
      databaseUrl: config.databaseUrl,
      directUrl: config.databaseDirectUrl ?? null,
      poolSize: config.databasePoolSize ?? 10,
      waitMs: config.databaseWaitMs,
    })
  }
  const { openEmbeddedDatabase } = await import('./embedded.ts')
  return openEmbeddedDatabase(config.dataDir)
}
