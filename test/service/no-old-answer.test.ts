import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { triggers } from '../../src/database/change-log.ts'
import { startHoldingProxy } from '../support/holding-proxy.ts'
import { askOnce, askOverAndOver, expectNoOldAnswer, waitUntilCached } from '../support/over-and-over.ts'
import { findProgram } from '../support/programs.ts'
import { startRedisPair } from '../support/redis-cluster.ts'
import {
  backUpPostgres,
  copyPostgres,
  setForPooler,
  startPgBouncer,
  startPostgres,
} from '../support/services.ts'
import { answersAt, startProcess } from '../support/start-process.ts'
import { connect, createPet, has, lacks, openTwo, startTwo } from '../support/two-processes.ts'

const waitsForPets = `SELECT 1 FROM pg_locks WHERE relation = 'pets'::regclass AND NOT granted`

describe.skipIf(!findProgram('postgres') || !findProgram('redis-server'))(
  'stale answers during faults',
  () => {
    it('no answer is stale after PostgreSQL hung while a pet was added', async () => {
      const postgres = await startPostgres()
      onTestFinished(() => postgres.stop())
      const { store, here, lists } = await startTwo({ DATABASE_URL: postgres.url })
      // Creating this pet opens a connection to PostgreSQL. The pet `Late` needs an open connection, because a paused
      // PostgreSQL accepts no new connection, and the service closes a connection that is idle for ten seconds.
      await createPet(store, here.url, 'Soon')
      await waitUntilCached(lists)

      postgres.pause()
      const began = performance.now()
      const { status } = await createPet(store, here.url, 'Late')
      await pause(began + 2000 - performance.now())
      postgres.resume()
      const since = await untilStored(postgres.url, 'Late')

      expect(status).toBe(503)
      expectNoOldAnswer(await askOverAndOver(lists, 600), since, lacks('Late'))
    })

    it('no answer is stale while PostgreSQL hangs, and every client gets a 503 within two seconds', async () => {
      const postgres = await startPostgres()
      onTestFinished(() => postgres.stop())
      const { store, here, lists, other } = await startTwo({ DATABASE_URL: postgres.url })
      for (let i = 0; i < 2; i++) await createPet(store, here.url, 'Behind a full page')
      const full = { ...lists, paths: ['/v1/pets?limit=1'] }
      await waitUntilCached(full)

      await createPet(store, here.url, 'Last')
      postgres.pause()
      await pause(50)
      const began = performance.now()
      const seen = await Promise.all([
        askOnce(here.url, full.paths[0] ?? '', store),
        askOnce(other.url, full.paths[0] ?? '', store),
      ])
      const ms = performance.now() - began
      postgres.resume()

      expect(seen.map(({ status }) => status)).toEqual([503, 503])
      expect(ms).toBeLessThan(3_500)
    })

    it('no answer is stale after a writer was killed between its commit and its message to Redis', async () => {
      const { store, lists, env } = await startTwo()
      const redis = new URL(env.REDIS_URL)
      const proxy = await startHoldingProxy(Number(redis.port))
      onTestFinished(() => proxy.stop())
      const writer = await startProcess({
        ...env,
        REDIS_URL: `redis://127.0.0.1:${proxy.port}${redis.pathname}`,
      })
      await writer.printed(answersAt)
      await waitUntilCached({ ...lists, urls: [writer.url] })
      await waitUntilCached(lists)
      const holder = await connect(env.DATABASE_URL)

      await holder.query('BEGIN; LOCK TABLE pets IN SHARE MODE')
      const adding = createPet(store, writer.url, 'Late').catch(() => null)
      await expect.poll(async () => (await holder.query(waitsForPets)).rowCount).toBeGreaterThan(0)
      proxy.swallow()
      await holder.query('COMMIT')
      const since = await untilStored(env.DATABASE_URL, 'Late')
      writer.child.kill('SIGKILL')

      expect(await adding).toBeNull()
      expectNoOldAnswer(await askOverAndOver(lists, 600), since, lacks('Late'))
    })

    it('no answer is stale after a replica of Redis that lacks the last write takes over', async () => {
      const redis = await startRedisPair()
      onTestFinished(() => redis.stop())
      const { here, store, lists } = await startTwo({ REDIS_URL: redis.url })

      await redis.cutOffReplica()
      const { status } = await createPet(store, here.url, 'Late')
      const since = performance.now()
      await redis.takeOver()

      expect(status).toBe(201)
      expectNoOldAnswer(await askOverAndOver(lists, 600), since, lacks('Late'))
    })

    describe('an edit by SQL', () => {
      let two: Awaited<ReturnType<typeof openTwo>>
      beforeAll(async () => {
        two = await openTwo()
      })
      afterAll(() => two.stop())

      const off = (which: string) => [
        `ALTER TABLE pets DISABLE TRIGGER ${which}`,
        `ALTER TABLE pets ENABLE TRIGGER ${which}`,
      ]
      it.each([
        ['an edit by psql', '', ''],
        ['an edit as a replica, whose triggers are off', 'SET session_replication_role = replica', ''],
        ['an edit while the triggers are off', ...off('USER')],
        ['an edit while all triggers are off, as in a restore', ...off('ALL')],
      ])('no answer is stale after %s', async (_, before, after) => {
        const { everything, env } = two
        const sql = await connect(env.DATABASE_URL)
        for (const name of triggers.pets) await sql.query(`ALTER TABLE pets ENABLE ALWAYS TRIGGER ${name}`)
        await sql.query(`UPDATE pets SET name = 'As it was'`)
        await pause(250)
        await waitUntilCached(everything)

        if (before) await sql.query(before)
        await sql.query(`UPDATE pets SET name = 'Changed'; ${after}`)
        const since = performance.now()

        expectNoOldAnswer(await askOverAndOver(everything, 500), since, has('As it was'))
      })

      it('no answer is stale after a process was paused', async () => {
        const { other, everything, env } = two
        const sql = await connect(env.DATABASE_URL)
        await sql.query(`UPDATE pets SET name = 'As it was'`)
        await pause(250)
        await waitUntilCached(everything)

        other.child.kill('SIGSTOP')
        await sql.query(`UPDATE pets SET name = 'Changed'`)
        const asking = askOverAndOver({ ...everything, urls: [other.url] }, 800)
        await pause(500)
        other.child.kill('SIGCONT')

        expectNoOldAnswer(await asking, Number.NEGATIVE_INFINITY, has('As it was'))
      })
    })
  },
)

/** Waits until the database has a pet with this name, and returns the time. */
async function untilStored(databaseUrl: string, name: string): Promise<number> {
  const client = await connect(databaseUrl)
  for (;;) {
    const { rowCount } = await client.query('SELECT 1 FROM pets WHERE name = $1', [name])
    if (rowCount) return performance.now()
    await pause(1)
  }
}

describe.skipIf(!findProgram('postgres') || !findProgram('redis-server'))(
  'stale answers after a failover or a restore',
  () => {
    it('no answer is stale after a replica of PostgreSQL without the last pets was promoted', async () => {
      const postgres = await startPostgres()
      onTestFinished(() => postgres.stop())
      const proxy = await startHoldingProxy(postgres.port)
      onTestFinished(() => proxy.stop())
      const { store, here, lists } = await startTwo({
        DATABASE_URL: `postgresql://postgres@127.0.0.1:${proxy.port}/postgres`,
      })
      const replica = await copyPostgres(postgres)
      onTestFinished(() => replica.stop())
      expect((await createPet(store, here.url, 'Lost')).status).toBe(201)
      await waitUntilCached(lists)

      await (await connect(replica.url)).query('SELECT pg_promote()')
      proxy.turnTo(replica.port)
      const since = performance.now()

      expectNoOldAnswer(await askOverAndOver(lists, 1000), since, has('Lost'))
    })

    it('no answer is stale after a restore in place, and a restored key is valid again', async () => {
      const { store, here, lists, env } = await startTwo()
      const folder = mkdtempSync(join(tmpdir(), 'animal-store-dump-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const dump = join(folder, 'dump')
      const key = await store.issueKey()
      execFileSync(findProgram('pg_dump') ?? '', ['-Fc', '-f', dump, env.DATABASE_URL])
      const sql = await connect(env.DATABASE_URL)
      await sql.query('DELETE FROM api_keys WHERE id = $1', [key.keyId])
      expect((await createPet(store, here.url, 'Lost')).status).toBe(201)
      await waitUntilCached(lists)
      const statusOf = async (url: string) =>
        (await fetch(`${url}/v1/pets`, { headers: { authorization: `Bearer ${key.secret}` } })).status
      for (const url of lists.urls) expect(await statusOf(url)).toBe(401)

      const asking = askOverAndOver(lists, 1000)
      execFileSync(findProgram('pg_restore') ?? '', ['--clean', '--if-exists', '-d', env.DATABASE_URL, dump])
      const since = performance.now()

      await pause(250)
      for (const url of lists.urls) expect(await statusOf(url)).toBe(200)
      expectNoOldAnswer([...(await asking), ...(await askOverAndOver(lists, 500))], since, has('Lost'))
    })

    it('no answer is stale after a recovery to a time before a pet was added', async () => {
      const archive = mkdtempSync(join(tmpdir(), 'animal-store-archive-'))
      onTestFinished(() => rmSync(archive, { recursive: true }))
      chmodSync(archive, 0o777)
      const postgres = await startPostgres({ archive_mode: 'on', archive_command: `cp %p ${archive}/%f` })
      onTestFinished(() => postgres.stop())
      const proxy = await startHoldingProxy(postgres.port)
      onTestFinished(() => proxy.stop())
      const { store, here, lists } = await startTwo({
        DATABASE_URL: `postgresql://postgres@127.0.0.1:${proxy.port}/postgres`,
      })
      const recover = backUpPostgres(postgres)
      const sql = await connect(postgres.url)
      expect((await createPet(store, here.url, 'Kept')).status).toBe(201)
      await sql.query(`SELECT pg_create_restore_point('before')`)
      expect((await createPet(store, here.url, 'Lost')).status).toBe(201)
      await waitUntilCached(lists)
      const { rows } = await sql.query('SELECT pg_walfile_name(pg_switch_wal()) AS last')
      const archived = async () =>
        (await sql.query('SELECT last_archived_wal FROM pg_stat_archiver')).rows[0]?.last_archived_wal
      await expect.poll(archived).toBe(rows[0]?.last)

      const recovered = await recover('recovery', {
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_name: 'before',
        recovery_target_action: 'promote',
      })
      onTestFinished(() => recovered.stop())
      const writable = async () =>
        (await (await connect(recovered.url)).query('SELECT pg_is_in_recovery() AS waits')).rows[0]?.waits
      await expect.poll(writable).toBe(false)
      proxy.turnTo(recovered.port)
      const since = performance.now()

      const seen = await askOverAndOver(lists, 1000)
      expectNoOldAnswer(seen, since, has('Lost'))
      expect(seen.at(-1)?.text).toContain('Kept')
    })

    it('no answer is stale after a crash of PostgreSQL', async () => {
      const postgres = await startPostgres()
      onTestFinished(() => postgres.stop())
      const { everything } = await startTwo({ DATABASE_URL: postgres.url })

      await postgres.kill9()
      await postgres.restart()
      await (await connect(postgres.url)).query(`UPDATE pets SET name = 'Changed'`)
      const since = performance.now()

      expectNoOldAnswer(await askOverAndOver(everything, 800), since, has('First'))
    })

    it('no answer is stale behind a pooler whose PostgreSQL crashes', async ({ skip }) => {
      if (!findProgram('pgbouncer')) return skip('pgbouncer is not installed')
      const postgres = await startPostgres()
      onTestFinished(() => postgres.stop())
      await setForPooler(postgres)
      const pooler = await startPgBouncer(postgres)
      onTestFinished(() => pooler.stop())
      const { everything } = await startTwo({ DATABASE_URL: pooler.url })
      const edit = async (name: string) => {
        await (await connect(postgres.url)).query(`UPDATE pets SET name = '${name}'`)
        return performance.now()
      }

      const since = await edit('Changed')
      expectNoOldAnswer(await askOverAndOver(everything, 500), since, has('First'))

      await postgres.kill9()
      await postgres.restart()
      const sinceCrash = await edit('Changed again')
      expectNoOldAnswer(await askOverAndOver(everything, 1500), sinceCrash, text => !text.includes('again'))
    })
  },
)
