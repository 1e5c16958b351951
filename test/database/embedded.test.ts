import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { lockDataDir } from '../../src/database/data-dir-lock.ts'
import type { Database } from '../../src/database/database.ts'
import { whyUnavailable } from '../../src/database/faults.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { type DatabaseProcess, startDatabaseProcess } from '../support/database-processes.ts'
import { until } from '../support/hosting.ts'

const embedded = (dataDir: string) => ({ databaseUrl: null, dataDir })
const template = mkdtempSync(join(tmpdir(), 'animal-store-embedded-'))

beforeAll(async () => {
  // A first start is slow, so create one database and copy the database for each test. Before the start, make the
  // folder look as if an earlier first start had been interrupted.
  mkdirSync(join(template, 'postgres-unfinished'))
  writeFileSync(join(template, 'postgres-unfinished', 'PG_VERSION'), '')
  const database = await openDatabase(embedded(template))
  await database.close()
})

afterAll(() => rmSync(template, { recursive: true, force: true }))

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-embedded-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(template, folder, { recursive: true })
  return folder
}

async function openHere(dataDir: string): Promise<Database> {
  const database = await openDatabase(embedded(dataDir))
  onTestFinished(() => database.close())
  return database
}

async function startProcess(dataDir: string, env = {}): Promise<DatabaseProcess> {
  const started = await startDatabaseProcess(embedded(dataDir), env)
  onTestFinished(() => started.kill9())
  return started
}

test('a start after an interrupted first start creates the embedded database again', async () => {
  const dataDir = dataFolder()

  const { db } = await openHere(dataDir)

  expect(await db.plan.count()).toBe(4)
  expect(existsSync(join(dataDir, 'postgres-unfinished'))).toBe(false)
})

test('a database that is put back after an interrupted first start is kept', async () => {
  const dataDir = dataFolder()
  mkdirSync(join(dataDir, 'postgres-unfinished'))
  const { ino } = statSync(join(dataDir, 'postgres'))

  await openHere(dataDir)

  expect(statSync(join(dataDir, 'postgres')).ino).toBe(ino)
})

test('an incomplete database of an older version, whose first start was interrupted, is refused with the remedy, and a complete one is opened', async () => {
  const [incomplete, complete] = [dataFolder(), dataFolder()]
  for (const dataDir of [incomplete, complete]) writeFileSync(join(dataDir, 'postgres-unfinished'), '')
  rmSync(join(incomplete, 'postgres', 'global'), { recursive: true })

  for (let time = 0; time < 2; time++)
    await expect(openDatabase(embedded(incomplete))).rejects.toThrow(
      'the first start was interrupted while it created the folder; delete the folder',
    )
  await openHere(complete)

  expect(existsSync(join(complete, 'postgres-unfinished'))).toBe(false)
  rmSync(join(incomplete, 'postgres'), { recursive: true })
  expect(await (await openHere(incomplete)).db.plan.count()).toBe(4)
})

test('a first start that is killed does not prevent the next start', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'animal-store-embedded-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  // Without a snapshot the first start takes seconds, so it is always killed before its end.
  const first = await startProcess(dataDir, { SNAPSHOTS: join(dataDir, 'none') })
  const opening = first.open().catch(() => 'interrupted')

  await until(
    async () => existsSync(join(dataDir, 'postgres-unfinished')),
    isThere => isThere,
  )
  await first.kill9()

  expect(await opening).toBe('interrupted')
  expect(await (await openHere(dataDir)).db.plan.count()).toBe(4)
})

test('a transaction waits for its turn as long as a statement', async () => {
  const { db } = await openHere(dataFolder())
  const order: string[] = []
  const first = db.$transaction(async () => {
    // Longer than the 2 s after which Prisma would give up.
    await pause(2_200)
    order.push('first')
  })

  await db.$transaction(async () => order.push('second'))
  await first

  expect(order).toEqual(['first', 'second'])
})

test('only its owner can read the data folder and write its lock file', async () => {
  const dataDir = dataFolder()
  chmodSync(dataDir, 0o755)
  const mask = process.umask(0)
  onTestFinished(() => void process.umask(mask))

  await openHere(dataDir)

  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  expect(statSync(join(dataDir, 'lock')).mode & 0o777).toBe(0o600)
})

test('a second process is refused with a sentence that names the first process', async () => {
  const dataDir = dataFolder()
  const first = await startProcess(dataDir)
  await first.open()
  const second = await startProcess(dataDir)

  const opening = await second.open()

  expect(opening).toEqual({
    opened: false,
    refusal: expect.stringMatching(
      `^The data in ${dataDir} is in use by process ${first.pid}, running since 20.*Z;`,
    ),
  })
})

test('a process cannot open the same data twice', async () => {
  const dataDir = dataFolder()
  await openHere(dataDir)

  await expect(openDatabase(embedded(dataDir))).rejects.toThrow(`process ${process.pid}`)
})

test('a refusal names no process while the process that locks the data is starting or stopping', () => {
  const dataDir = dataFolder()
  const lock = lockDataDir(dataDir)
  onTestFinished(lock.release)
  rmSync(join(dataDir, 'lock'))

  expect(() => lockDataDir(dataDir)).toThrow(
    `The data in ${dataDir} is in use by another process, which is just starting or stopping.`,
  )
})

test('a failed start says why each time and releases the data', async () => {
  const dataDir = dataFolder()
  writeFileSync(join(dataDir, 'postgres', 'global', 'pg_control'), 'damaged')

  for (let time = 0; time < 2; time++) {
    await expect(openDatabase(embedded(dataDir))).rejects.toThrow('its files are damaged')
  }

  expect(existsSync(join(dataDir, 'lock'))).toBe(false)
  lockDataDir(dataDir).release()
})

test('the data can be opened again after it was closed, and the lock no longer names the former process', async () => {
  const dataDir = dataFolder()
  const database = await openDatabase(embedded(dataDir))
  await database.ping()
  await database.close()
  await expect(database.ping()).rejects.toThrow()
  expect(existsSync(join(dataDir, 'lock'))).toBe(false)

  const { db } = await openHere(dataDir)

  expect(await db.plan.count()).toBe(4)
})

test('a process killed with -9 loses no acknowledged row and releases its lock', async () => {
  const dataDir = dataFolder()
  const first = await startProcess(dataDir)
  await first.open()
  await first.storeProjects(25)
  await first.kill9()

  const { db } = await openHere(dataDir)

  expect(await db.project.count()).toBe(25)
})

test('if two processes open the data folder of a killed process, only one of the two processes succeeds', async () => {
  const dataDir = dataFolder()
  const first = await startProcess(dataDir)
  await first.open()
  await first.kill9()
  const heirs = await Promise.all([startProcess(dataDir), startProcess(dataDir)])

  const openings = await Promise.all(heirs.map(heir => heir.open()))

  expect(openings.map(opening => opening.opened).sort()).toEqual([false, true])
})

test('a process that has only begun to lock the data folder does not stop another process from locking the folder', () => {
  const dataDir = dataFolder()
  const refused = new DatabaseSync(join(dataDir, 'lock.sqlite'))
  onTestFinished(() => refused.close())
  // SQLite takes a shared lock before it takes an exclusive lock. These statements take only the shared lock, like a
  // process that has only begun to lock the folder.
  refused.exec('BEGIN; SELECT * FROM sqlite_schema')

  const lock = lockDataDir(dataDir)

  onTestFinished(lock.release)
  expect(() => refused.exec('CREATE TABLE taken (id INT)')).toThrow('locked')
})

test('a start with nothing to migrate does not load the migration engine', async () => {
  const dataDir = dataFolder()
  const warm = await startProcess(dataDir)

  expect(await warm.open()).toEqual({ opened: true, loadsEngine: false })
})

test('a timestamp is read as it was stored, in any time zone of the service', async () => {
  const moment = new Date('2026-07-01T12:34:56.789Z')
  const zone = process.env.TZ
  process.env.TZ = 'America/New_York'
  onTestFinished(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })
  const { db } = await openHere(dataFolder())

  await db.project.create({ data: { slug: 'zoned', name: 'A store', suspendedAt: moment } })

  const [row] = await db.$queryRaw<
    { epoch: number }[]
  >`select extract(epoch from suspended_at)::float8 as epoch from projects`
  expect(row?.epoch).toBe(moment.getTime() / 1000)
  expect((await db.project.findUnique({ where: { slug: 'zoned' } }))?.suspendedAt).toEqual(moment)
})

test('a full disk is distinguished from a bug', async () => {
  const { db, run } = await openHere(dataFolder())
  await db.$executeRaw`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`
  await db.$executeRaw`CREATE TRIGGER refuse BEFORE INSERT ON projects EXECUTE FUNCTION refuse()`
  const text = `INSERT INTO projects (slug, name) VALUES ('zoo', 'Zoo')`

  const failed = [
    await db.project.create({ data: { slug: 'zoo', name: 'Zoo' } }).catch(error => error),
    await run({ name: 'add', text, values: [] }).catch(error => error),
    await db.$queryRaw`SELECT 1 / 0`.catch(error => error),
  ]

  expect(failed.map(error => whyUnavailable(error)?.reason)).toEqual([
    'its disk is full',
    'its disk is full',
    undefined,
  ])
})

test('an int8 is returned as text with every digit, even if the number is small', async () => {
  const { run, lend } = await openHere(dataFolder())
  const text = 'SELECT 7::int8 AS small, 9007199254740993::int8 AS large'

  expect(await run({ name: 'numbers', text, values: [] })).toEqual([['7', '9007199254740993']])
  expect(await lend?.(ask => ask(text))).toEqual([{ small: '7', large: '9007199254740993' }])
})

test('if code that runs inside lend() throws an error, the embedded database rolls back the changes of that code', async () => {
  const { db, lend } = await openHere(dataFolder())

  const lent = lend?.(async ask => {
    await ask(`INSERT INTO projects (slug, name) VALUES ($1, 'Zoo')`, ['zoo'])
    throw new Error('a mistake')
  })

  await expect(lent).rejects.toThrow('a mistake')
  expect(await db.project.count()).toBe(0)
})
