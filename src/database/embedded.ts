import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { types } from '@electric-sql/pglite'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { PrismaClient } from '../generated/prisma/client.ts'
import { refusalOfDataDir } from '../tools/data-dir.ts'
import { StartRefused } from '../tools/start-refused.ts'
import { type DataDirLock, lockDataDir } from './data-dir-lock.ts'
import type { Database, Lend, Run } from './database.ts'
import { migrationFactory } from './migration-factory.ts'
import { applyMigrations, readMigrations } from './migrations.ts'
import { openOutage } from './outage.ts'
import { nobody, runFor } from './owner.ts'
import { SharedPGlite } from './shared-pglite.ts'
import type { Columns, Statements } from './statements.ts'

/** Returns an int8 as text: PGlite returns a number or a bigint, depending on its size. */
const asWritten = { [types.INT8]: (text: string) => text }

/** Opens PostgreSQL inside this process, so that the service needs no other program. */
export async function openEmbeddedDatabase(dataDir: string): Promise<Database> {
  try {
    await mkdir(dataDir, { recursive: true })
    // PGlite's files are readable for everybody, so their folder must be private.
    await chmod(dataDir, 0o700)
    return await openLocked(dataDir, lockDataDir(dataDir))
  } catch (error) {
    throw refusalOfDataDir(dataDir, error)
  }
}

async function openLocked(dataDir: string, lock: DataDirLock): Promise<Database> {
  try {
    const folder = join(dataDir, 'postgres')
    const unfinished = join(dataDir, 'postgres-unfinished')
    removeUnfinished(folder, unfinished)
    const client = await openFolder(folder)
    const db = new PrismaClient({ adapter: new PrismaPGlite(client) })
    const query = async (sql: string) => (await client.query(sql)).rows
    const [migrations] = await Promise.all([readMigrations(), db.$connect()])
    const factory = migrationFactory(new PrismaPGlite(client), script => client.exec(script))
    await applyMigrations({ query, factory }, migrations)
    rmSync(unfinished, { force: true })
    const run: Statements['run'] = async ({ text, values }) =>
      (await client.query<Columns>(text, [...values], { rowMode: 'array', parsers: asWritten })).rows
    return {
      db,
      isEmbedded: true,
      lend: lender(client),
      pool: null,
      run,
      writes: () => client.writes,
      // PGlite has only one connection.
      openLine: async () => ({
        run: statement => runFor(nobody, () => run(statement)),
        close: async () => {},
      }),
      migrated: Promise.resolve(),
      outage: openOutage(),
      rereadAddresses: () => [],
      async ping() {
        await client.query('select 1')
      },
      async close() {
        await db.$disconnect()
        await client.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Opens the folder. PGlite itself gives no reason if the disk is full or its files are unreadable. */
async function openFolder(folder: string): Promise<SharedPGlite> {
  try {
    const client = new SharedPGlite(folder)
    await client.waitReady
    return client
  } catch (error) {
    const { bavail, bsize } = statfsSync(dirname(folder))
    const reason =
      bavail * bsize < leastRoom
        ? 'the disk is full'
        : 'its files are damaged, or of another version of PostgreSQL; restore the folder, or begin anew with another DATA_DIR'
    throw new StartRefused(`The database in ${folder} cannot be opened: ${reason}.`, { cause: error })
  }
}

/** Free bytes that a start needs: a new database takes 40 MB, and the write-ahead log grows by 16 MB at a time. */
const leastRoom = 40e6

/** Returns an int64 as text: JSON would round it. */
const exact = { parsers: { [types.INT8]: (text: string) => text } }

function lender(client: SharedPGlite): Lend {
  return work =>
    client.transaction(async transaction => {
      const run: Run = async (sql, parameters = []) =>
        (await transaction.query<Record<string, unknown>>(sql, [...parameters], exact)).rows
      return work(run)
    })
}

/** Deletes the database of an interrupted first start. It holds no data yet and is created again. */
function removeUnfinished(folder: string, unfinished: string): void {
  if (existsSync(unfinished)) rmSync(folder, { recursive: true, force: true })
  if (!existsSync(folder)) writeFileSync(unfinished, '')
}
