import type { PrismaClient } from '../generated/prisma/client.ts'
import type { Outage } from './outage.ts'
import type { SharedPool } from './shared-pool.ts'
import type { Line, Statements } from './statements.ts'

export type Database = Statements & {
  db: PrismaClient
  isEmbedded: boolean
  /**
   * Runs another program's SQL in a transaction, and stops it if it takes long. Null for PostgreSQL, because other
   * programs can connect to it directly.
   */
  lend: Lend | null
  /** The connections to PostgreSQL, also used by `db`. Null for the embedded database. */
  pool: SharedPool | null
  /** Number of statements of this process that may have written. Null for PostgreSQL, which has other clients. */
  writes(): number | null
  /** Opens a connection outside the pool, for work that must not wait for a pooled one. */
  openLine(): Promise<Line>
  /** Resolves when the tables match this version. Rejects with a StartRefused if they cannot. */
  migrated: Promise<void>
  outage: Outage
  /** Reads the file of a database address again. Returns false if the address has not changed. */
  rereadAddress(name: 'DATABASE_URL' | 'DATABASE_DIRECT_URL'): boolean
  /** Rejects while the database is unavailable. */
  ping(): Promise<void>
  close(): Promise<void>
}

export type Run = (sql: string, parameters?: readonly unknown[]) => Promise<Record<string, unknown>[]>
export type Lend = <T>(work: (run: Run) => Promise<T>, mostCpuMs?: number) => Promise<T>
