import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshDatabase, freshRedis } from '../support/databases.ts'
import { startHoldingProxy } from '../support/holding-proxy.ts'
import { askOverAndOver, expectNoOldAnswer, haveKept } from '../support/over-and-over.ts'
import { findProgram } from '../support/programs.ts'
import { startRedisPair } from '../support/redis-cluster.ts'
import { copyPostgres, startPostgres } from '../support/services.ts'
import { startApp, type TestProject } from '../support/start-app.ts'
import { answersAt, startProcess } from '../support/start-process.ts'

/** Two processes over the same PostgreSQL and Redis, and a project whose pets both keep in memory. */
async function startTwo(given: { DATABASE_URL?: string; REDIS_URL?: string } = {}) {
  const own = await freshDatabase()
  const env = {
    DATABASE_URL: given.DATABASE_URL ?? own.env.DATABASE_URL ?? '',
    REDIS_URL: given.REDIS_URL ?? (await freshRedis()) ?? '',
    LOG_LEVEL: 'silent',
  }
  const here = await startApp({ env })
  const other = await startProcess(env)
  onTestFinished(async () => {
    other.child.kill('SIGKILL')
    await other.ended
    await here.stop()
    await own.remove()
  })
  await other.printed(answersAt)
  const store = await here.makeProject({ perMinute: 1_000_000, perDay: 1_000_000 })
  const { json } = await store.post('/v1/pets', { name: 'First', categoryId: 1 })
  const { id } = json as { id: number }
  const lists = { store, urls: [here.url, other.url], paths: ['/v1/pets?limit=100', '/graphql'] }
  const everything = { ...lists, paths: [...lists.paths, `/v1/pets/${id}`] }
  await haveKept(everything)
  return { here, other, store, lists, everything, env }
}

async function connect(url: string) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end().catch(() => {}))
  return client
}

const add = (store: TestProject, url: string, name: string) =>
  fetch(`${url}/v1/pets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${store.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, categoryId: 1 }),
  })

const waitsForPets = `SELECT 1 FROM pg_locks WHERE relation = 'pets'::regclass AND NOT granted`

const lacks = (name: string) => (text: string) => !text.includes(name)
const has = (name: string) => (text: string) => text.includes(name)

describe.skipIf(!findProgram('postgres') || !findProgram('redis-server'))(
  'no answer is older than 250 ms',
  () => {
    it('after PostgreSQL hung while a pet was added, which came in after all', async () => {
      const postgres = await startPostgres()
      onTestFinished(() => postgres.stop())
      const { store, here, lists } = await startTwo({ DATABASE_URL: postgres.url })

      postgres.pause()
      const began = performance.now()
      const { status } = await add(store, here.url, 'Late')
      await pause(began + 2000 - performance.now())
      postgres.resume()
      const since = await untilStored(postgres.url, 'Late')

      expect(status).toBe(503)
      expectNoOldAnswer(await askOverAndOver(lists, 1000), since, lacks('Late'))
    })

    it('after a writer was killed between its commit and the word to Redis', async () => {
      const { store, lists, env } = await startTwo()
      const redis = new URL(env.REDIS_URL)
      const proxy = await startHoldingProxy(Number(redis.port))
      onTestFinished(() => proxy.stop())
      const writer = await startProcess({
        ...env,
        REDIS_URL: `redis://127.0.0.1:${proxy.port}${redis.pathname}`,
      })
      await writer.printed(answersAt)
      await haveKept({ ...lists, urls: [writer.url] })
      await haveKept(lists)
      const holder = await connect(env.DATABASE_URL)

      await holder.query('BEGIN; LOCK TABLE pets IN SHARE MODE')
      const adding = add(store, writer.url, 'Late').catch(() => null)
      await expect.poll(async () => (await holder.query(waitsForPets)).rowCount).toBeGreaterThan(0)
      proxy.swallow()
      await holder.query('COMMIT')
      const since = await untilStored(env.DATABASE_URL, 'Late')
      writer.child.kill('SIGKILL')

      expect(await adding).toBeNull()
      expectNoOldAnswer(await askOverAndOver(lists, 1000), since, lacks('Late'))
    })

    it('after a replica of Redis that lacks the last write took over, with all connections open', async () => {
      const redis = await startRedisPair()
      onTestFinished(() => redis.stop())
      const { here, store, lists } = await startTwo({ REDIS_URL: redis.url })

      await redis.cutOffReplica()
      const { status } = await add(store, here.url, 'Late')
      const since = performance.now()
      await redis.takeOver()

      expect(status).toBe(201)
      expectNoOldAnswer(await askOverAndOver(lists, 1000), since, lacks('Late'))
    })

    it('after a replica of PostgreSQL that lacks the last pets was promoted behind the same address', async () => {
      const postgres = await startPostgres()
      onTestFinished(() => postgres.stop())
      const proxy = await startHoldingProxy(postgres.port)
      onTestFinished(() => proxy.stop())
      const { store, here, lists } = await startTwo({
        DATABASE_URL: `postgresql://postgres@127.0.0.1:${proxy.port}/postgres`,
      })
      const replica = await copyPostgres(postgres)
      onTestFinished(() => replica.stop())
      expect((await add(store, here.url, 'Lost')).status).toBe(201)
      await haveKept(lists)

      await (await connect(replica.url)).query('SELECT pg_promote()')
      proxy.turnTo(replica.port)
      const since = performance.now()

      expectNoOldAnswer(await askOverAndOver(lists, 2000), since, has('Lost'))
    })

    it('after a restore in place, and a key that came back with it is valid again', async () => {
      const { store, here, lists, env } = await startTwo()
      const folder = mkdtempSync(join(tmpdir(), 'animal-store-dump-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const dump = join(folder, 'dump')
      const key = await store.issueKey()
      execFileSync(findProgram('pg_dump') ?? '', ['-Fc', '-f', dump, env.DATABASE_URL])
      const sql = await connect(env.DATABASE_URL)
      await sql.query('DELETE FROM api_keys WHERE id = $1', [key.keyId])
      expect((await add(store, here.url, 'Lost')).status).toBe(201)
      await haveKept(lists)
      const statusOf = async (url: string) =>
        (await fetch(`${url}/v1/pets`, { headers: { authorization: `Bearer ${key.secret}` } })).status
      for (const url of lists.urls) expect(await statusOf(url)).toBe(401)

      const asking = askOverAndOver(lists, 2500)
      execFileSync(findProgram('pg_restore') ?? '', ['--clean', '--if-exists', '-d', env.DATABASE_URL, dump])
      const since = performance.now()

      await pause(250)
      for (const url of lists.urls) expect(await statusOf(url)).toBe(200)
      expectNoOldAnswer([...(await asking), ...(await askOverAndOver(lists, 500))], since, has('Lost'))
    })

    it.each([
      ['by psql', ''],
      ['as a replica, whose triggers rest', 'SET session_replication_role = replica'],
      ['with the triggers off', 'ALTER TABLE pets DISABLE TRIGGER USER'],
      ['with all triggers off, as a restore does', 'ALTER TABLE pets DISABLE TRIGGER ALL'],
    ])('after an edit %s', async (_, before) => {
      const { everything, env } = await startTwo()
      const sql = await connect(env.DATABASE_URL)
      if (before) await sql.query(before)
      // In force again what was switched off, before anybody looks.
      await sql.query(
        before.startsWith('ALTER')
          ? `UPDATE pets SET name = 'Changed'; ${before.replace('DISABLE', 'ENABLE')}`
          : `UPDATE pets SET name = 'Changed'`,
      )
      const since = performance.now()

      expectNoOldAnswer(await askOverAndOver(everything, 1000), since, has('First'))
    })

    it('after a pause of the process itself', async () => {
      const { other, store, everything, env } = await startTwo()
      const sql = await connect(env.DATABASE_URL)

      other.child.kill('SIGSTOP')
      await sql.query(`UPDATE pets SET name = 'Changed' WHERE project_id = $1`, [store.project.id])
      const since = performance.now()
      const asking = askOverAndOver({ ...everything, urls: [other.url] }, 1000)
      await pause(500)
      other.child.kill('SIGCONT')

      expectNoOldAnswer(await asking, since - 250, has('First'))
    })
  },
)

/** Waits for the pet with this name to be in the database, and returns when it was seen there. */
async function untilStored(databaseUrl: string, name: string): Promise<number> {
  const client = await connect(databaseUrl)
  for (;;) {
    const { rowCount } = await client.query('SELECT 1 FROM pets WHERE name = $1', [name])
    if (rowCount) return performance.now()
    await pause(1)
  }
}
