import type pg from 'pg'
import type { PrismaClient } from '../generated/prisma/client.ts'
import { readSecretAgain, type SecretFiles } from '../tools/secret-files.ts'
import type { Outage } from './outage.ts'
import type { Line, Statements } from './statements.ts'

export type Database = Statements & {
  db: PrismaClient
  isEmbedded: boolean
  /**
   * Runs SQL of another program in a transaction of its own; null for PostgreSQL, which other programs can connect to.
   */
  lend: Lend | null
  /** The connections to PostgreSQL, which `db` uses too; null for the embedded database. */
  pool: pg.Pool | null
  /** Opens a connection outside the pool, for work that must not wait for one. */
  openLine(): Promise<Line>
  /** Resolves when the tables match this version; rejects with the StartRefused that says why they cannot. */
  migrated: Promise<void>
  outage: Outage
  /** Rejects while the database cannot serve. */
  ping(): Promise<void>
  close(): Promise<void>
}

export type Run = (sql: string, parameters?: readonly unknown[]) => Promise<Record<string, unknown>[]>
export type Lend = <T>(work: (run: Run) => Promise<T>) => Promise<T>

export type DatabaseConfig = {
  databaseUrl: string | null
  /** The URL of PostgreSQL itself if `databaseUrl` is a pooler's. */
  databaseDirectUrl?: string | null
  dataDir: string
  databasePoolSize?: number
  secretFiles?: SecretFiles
}

/** Loads only the kind in use: either one takes a large part of the start-up time. */
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
