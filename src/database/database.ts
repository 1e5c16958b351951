import type { PrismaClient } from '../generated/prisma/client.ts'
import type { Outage } from './outage.ts'
import type { SharedPool } from './shared-pool.ts'
import type { Line, Statements } from './statements.ts'

export type Database = Statements & {
  db: PrismaClient
  isEmbedded: boolean
  /**
   * Runs SQL of another program in a transaction of its own; null for PostgreSQL, which other programs can connect to.
   */
  lend: Lend | null
  /** The connections to PostgreSQL, which `db` uses too; null for the embedded database. */
  pool: SharedPool | null
  /** Opens a connection outside the pool, for work that must not wait for one. */
  openLine(): Promise<Line>
  /** Resolves when the tables match this version; rejects with the StartRefused that says why they cannot. */
  migrated: Promise<void>
  outage: Outage
  /** Reads the files of the addresses again; returns the variables whose address is another one now. */
  rereadAddresses(): string[]
  /** Rejects while the database cannot serve. */
  ping(): Promise<void>
  close(): Promise<void>
}

export type Run = (sql: string, parameters?: readonly unknown[]) => Promise<Record<string, unknown>[]>
export type Lend = <T>(work: (run: Run) => Promise<T>) => Promise<T>
