import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from '../generated/prisma/client.ts'
import { refusalOfDataDir } from '../tools/data-dir.ts'
import { StartRefused } from '../tools/start-refused.ts'
import { runOver, sessionSettings } from './connections.ts'
import { type DataDirLock, lockDataDir } from './data-dir-lock.ts'
import type { Database } from './database.ts'
import { lender } from './lender.ts'
import { recordingFactory } from './migration-factory.ts'
import { applyMigrations, readMigrations } from './migrations.ts'
import { openOutage } from './outage.ts'
import { noProject, runFor } from './owner.ts'
import { type PostgresThread, postgresThread } from './postgres-thread.ts'
import { SharedPool } from './shared-pool.ts'
import { findSnapshot, snapshotFolder, unpackSnapshot } from './snapshot.ts'
import { nameStatements } from './statement-names.ts'

/** Opens PostgreSQL in a thread of this process, so that the service needs no other program. */
export async function openEmbeddedDatabase(dataDir: string, snapshots = snapshotFolder): Promise<Database> {
  try {
    await mkdir(dataDir, { recursive: true })
    // PGlite's files are readable for everybody, so their folder must be private.
    await chmod(dataDir, 0o700)
    return await openLocked(dataDir, snapshots, lockDataDir(dataDir))
  } catch (error) {
    throw refusalOfDataDir(dataDir, error)
  }
}

async function openLocked(dataDir: string, snapshots: string, lock: DataDirLock): Promise<Database> {
  const folder = join(dataDir, 'postgres')
  const thread = postgresThread(folder, sessionOptions)
  let writes = 0
  const pool = openPool(thread, () => {
    writes++
  })
  const statements = nameStatements()
  const db = new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: statements.nameOf }),
    transactionOptions: { maxWait: transactionTimeoutMs },
  })
  const close = async () => {
    await db.$disconnect()
    await pool.end()
    await thread.close()
    lock.release()
  }
  try {
    const reading = readMigrations()
    const snapshot = existsSync(folder) ? null : findSnapshot(await reading, snapshots)
    const [migrations] = await Promise.all([reading, openFolder(folder, thread, snapshot)])
    const query = async (sql: string) => (await pool.query(sql)).rows
    const factory = recordingFactory(new PrismaPg(pool), script => pool.query(script))
    await applyMigrations({ query, factory }, migrations)
  } catch (error) {
    await close()
    throw error
  }
  const run = runOver(pool)
  return {
    db,
    isEmbedded: true,
    lend: lender(pool, thread),
    pool: null,
    run,
    // Writes are counted before they run, and the only connection runs statements in order. So a statement that begins
    // after this call sees all counted writes.
    writes: () => writes,
    // PGlite has only one connection.
    openLine: async () => ({
      run: statement => runFor(noProject, () => run(statement)),
      close: async () => {},
    }),
    migrated: Promise.resolve(),
    outage: openOutage(
      statements.nameAgain,
      'set DATABASE_URL, because the embedded database runs one statement at a time',
    ),
    rereadAddress: () => false,
    async ping() {
      await pool.query('select 1')
    },
    close,
  }
}

const sessionOptions = sessionSettings.map(({ name, value }) => `${name}=${value}`)

/** In milliseconds. The timeout is long, because statements wait while the thread of the database starts again. */
const connectTimeoutMs = 10_000
/**
 * In milliseconds. A transaction waits as long as a statement. The timeout is longer than the pool's, because Prisma's own
 * error does not say that the connection was busy.
 */
const transactionTimeoutMs = connectTimeoutMs + 1_000

function openPool(thread: PostgresThread, noteWrite: () => void): SharedPool {
  class Client extends pg.Client {
    constructor() {
      super({ stream: thread.connect, user: 'postgres', database: 'postgres', ssl: false })
      // An error without a listener would end the process. The statement under way fails with this error anyway.
      this.on('error', () => {})
    }

    override query(input: string | { text: string }, ...more: unknown[]) {
      const text = typeof input === 'string' ? input : input.text
      if (!/^\s*(select|show)\b/i.test(text)) noteWrite()
      return Reflect.apply(super.query, this, [input, ...more])
    }
  }
  return new SharedPool({
    Client,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: connectTimeoutMs,
  })
}

/** Opens the folder. PGlite itself gives no reason if the disk is full or its files are unreadable. */
async function openFolder(folder: string, thread: PostgresThread, snapshot: string | null): Promise<void> {
  try {
    await createIfMissing(folder, snapshot)
    await thread.open()
    rmSync(unfinishedOf(folder), { recursive: true, force: true })
  } catch (error) {
    throw new StartRefused(`The database in ${folder} cannot be opened: ${whyClosed(folder)}.`, {
      cause: error,
    })
  }
}

function whyClosed(folder: string): string {
  const dataDir = dirname(folder)
  const { bavail, bsize } = statfsSync(dataDir)
  if (bavail * bsize < leastRoom) return 'the disk is full'
  if (hasForbiddenFiles(folder))
    return `some of its files belong to another user, or are not writable: chown -R USER ${dataDir}`
  if (isInterrupted(folder))
    return 'the first start was interrupted while it created the folder; delete the folder, unless you have put a database there since'
  return 'its files are damaged or belong to another version of PostgreSQL; restore the folder, or start with another DATA_DIR'
}

/**
 * True if the first start of an older version was interrupted. Older versions created the folder under its final name, and
 * kept a file beside the folder until the folder was complete.
 */
const isInterrupted = (folder: string) =>
  statSync(unfinishedOf(folder), { throwIfNoEntry: false })?.isFile() === true

/** True if this process may not read and write every file, for example because root has started the service once. */
function hasForbiddenFiles(folder: string): boolean {
  try {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      accessSync(join(folder, name), constants.R_OK | constants.W_OK)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES'
  }
}

/** Free bytes that a start needs: a new database takes 40 MB, and the write-ahead log grows by 16 MB at a time. */
const leastRoom = 40e6

/**
 * Creates the folder under another name and renames it when it is complete. So an interrupted start leaves no incomplete
 * database, and a start never deletes a database.
 */
async function createIfMissing(folder: string, snapshot: string | null): Promise<void> {
  if (existsSync(folder)) return
  const unfinished = unfinishedOf(folder)
  rmSync(unfinished, { recursive: true, force: true })
  if (snapshot !== null) unpackSnapshot(snapshot, unfinished)
  if (!existsSync(unfinished)) {
    const thread = postgresThread(unfinished, sessionOptions)
    await thread.open()
    await thread.close()
  }
  renameSync(unfinished, folder)
}

const unfinishedOf = (folder: string) => `${folder}-unfinished`
