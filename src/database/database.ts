import type pg from 'pg'
import type { PrismaClient } from '../generated/prisma/client.ts'
import { readSecretAgain, type SecretFiles } from '../tools/secret-files.ts'
import type { Outage } from './outage.ts'
import type { Line, Statements } from './statements.ts'

export type Database = Statements & {
  db: PrismaClient
  isEmbedded: boolean
  /** Runs SQL of someone else's in a transaction of its own; only the embedded database has to be lent. */
  lend: Lend | null
  /** PostgreSQL's connections, which `db` uses as well; the embedded database has none. */
  pool: pg.Pool | null
  /** For whoever must not wait in the pool. */
  openLine(): Promise<Line>
  /** Settles when the tables are this version's, or with the StartRefused that says why they cannot be. */
  migrated: Promise<void>
  outage: Outage
  /** Rejects while the store cannot be served from it. */
  ping(): Promise<void>
  close(): Promise<void>
}

export type Run = (sql: string, parameters?: readonly unknown[]) => Promise<Record<string, unknown>[]>
export type Lend = <T>(work: (run: Run) => Promise<T>) => Promise<T>

export type DatabaseConfig = {
  databaseUrl: string | null
  /** PostgreSQL itself, where `databaseUrl` is a pooler's. */
  databaseDirectUrl?: string | null
  dataDir: string
  databasePoolSize?: number
  secretFiles?: SecretFiles
}

/** Each kind is loaded when it is wanted: either costs a good part of the start. */
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
