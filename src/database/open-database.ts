import { readSecretAgain, type SecretFiles } from '../tools/secret-files.ts'
import type { Database } from './database.ts'

export type DatabaseConfig = {
  databaseUrl: string | null
  /** The address of PostgreSQL itself, if `databaseUrl` is a pooler's. */
  databaseDirectUrl?: string | null
  dataDir: string
  databasePoolSize?: number
  secretFiles?: SecretFiles
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
    })
  }
  const { openEmbeddedDatabase } = await import('./embedded.ts')
  return openEmbeddedDatabase(config.dataDir)
}
