import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { recordUse } from './programs.ts'

const templateName = 'animal_store_template'

/** Environment for a service with its own migrated database. */
export type FreshDatabase = { env: Record<string, string>; remove(): Promise<void> }

/** Makes a database on the shared PostgreSQL; without PostgreSQL, makes a folder for the embedded database. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const { postgresUrl } = inject('services')
  return postgresUrl === null ? freshFolder() : createDatabase(postgresUrl, templateName)
}

/** Makes a database without tables on the shared PostgreSQL, for tests of migrations. */
export async function emptyDatabase(): Promise<FreshDatabase> {
  const { postgresUrl } = inject('services')
  if (postgresUrl === null) throw new Error('PostgreSQL is not installed.')
  return createDatabase(postgresUrl, 'template1')
}

/** Like `emptyDatabase`, with an English collation, which ignores hyphens and dots in sorting, as on most servers. */
export async function englishDatabase(): Promise<FreshDatabase> {
  const { postgresUrl } = inject('services')
  if (postgresUrl === null) throw new Error('PostgreSQL is not installed.')
  return createDatabase(
    postgresUrl,
    "template0 encoding 'UTF8' locale_provider icu icu_locale 'en-u-ka-shifted'",
  )
}

/** Makes a database in another encoding than UTF8, without tables. */
export async function databaseInEncoding(encoding: string): Promise<FreshDatabase> {
  const { postgresUrl } = inject('services')
  if (postgresUrl === null) throw new Error('PostgreSQL is not installed.')
  return createDatabase(postgresUrl, `template0 encoding '${encoding}' locale 'C'`)
}

async function createDatabase(adminUrl: string, template: string): Promise<FreshDatabase> {
  recordUse('postgres')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(adminUrl, `create database ${name} template ${template}`)
  const url = new URL(adminUrl)
  url.pathname = name
  return {
    env: { DATABASE_URL: url.href },
    remove: () => administer(adminUrl, `drop database if exists ${name} with (force)`),
  }
}

/**
 * Makes a folder with an embedded database. The folder is a copy of the run's template, because creating an embedded
 * database takes seconds.
 */
export async function freshFolder(): Promise<FreshDatabase & { env: { DATA_DIR: string } }> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'))
  cpSync(await embeddedTemplate(), folder, { recursive: true })
  return {
    env: { DATA_DIR: folder },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Returns an empty database of the shared Redis; null without Redis, when the limiter counts in memory. */
export async function freshRedis(): Promise<string | null> {
  const { redisUrl } = inject('services')
  if (redisUrl === null) return null
  recordUse('redis-server')
  const redis = new Redis(redisUrl)
  const number = await redis.incr('databases given to tests')
  redis.disconnect()
  return `${redisUrl}/${number}`
}

export async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Makes a pool that ends with the test. The end of a pool does not wait for its connections, so a removed database may cut them. */
export function testPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config)
  pool.on('error', () => {})
  onTestFinished(() => pool.end())
  return pool
}

export async function migrateTemplate(adminUrl: string): Promise<void> {
  await administer(adminUrl, `create database ${templateName}`)
  const url = new URL(adminUrl)
  url.pathname = templateName
  const database = await openDatabase({ databaseUrl: url.href, dataDir: '' })
  await database.close()
}

/** Creates the embedded database of this run, which others copy, or waits until another test file has done so. */
async function embeddedTemplate(): Promise<string> {
  const { embeddedTemplates } = inject('services')
  const [folder, done] = ['database', 'done'].map(name => join(embeddedTemplates, name)) as [string, string]
  // Only one process can make the folder.
  const isFirst = mkdirSync(folder, { recursive: true }) !== undefined
  if (isFirst) {
    const database = await openDatabase({ databaseUrl: null, dataDir: folder })
    await database.close()
    writeFileSync(done, '')
  }
  while (!existsSync(done)) await new Promise(resolve => setTimeout(resolve, 50))
  return folder
}
