import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { triggers } from '../../src/database/change-log.ts'
import { startHoldingProxy } from '../support/holding-proxy.ts'
import { askOnce, askOverAndOver, expectNoOldAnswer, haveKept } from '../support/over-and-over.ts'
import { findProgram } from '../support/programs.ts'
import { startRedisPair } from '../support/redis-cluster.ts'
import { startPostgres } from '../support/services.ts'
import { answersAt, startProcess } from '../support/start-process.ts'
import { addPet, connect, has, lacks, openTwo, startTwo } from '../support/two-processes.ts'

const waitsForPets = `SELECT 1 FROM pg_locks WHERE relation = 'pets'::regclass AND NOT granted`

describe.skipIf(!findProgram('postgres') || !findProgram('redis-server'))(
  'no answer is older than 250 ms',
  () => {
    it('after PostgreSQL hung while a pet was added, which came in after all', async () => {
      const postgres = await startPostgres()
      onTestFinished(() => postgres.stop())
      const { store, here, lists } = await startTwo({ DATABASE_URL: postgres.url })

      postgres.pause()
      const began = performance.now()
      const { status } = await addPet(store, here.url, 'Late')
      await pause(began + 2000 - performance.now())
      postgres.resume()
      const since = await untilStored(postgres.url, 'Late')

      expect(status).toBe(503)
      expectNoOldAnswer(await askOverAndOver(lists, 1000), since, lacks('Late'))
    })

    it('while PostgreSQL hangs, and all are told so within two seconds', async () => {
      const postgres = await startPostgres()
      onTestFinished(() => postgres.stop())
      const { store, here, lists, other } = await startTwo({ DATABASE_URL: postgres.url })
      for (let i = 0; i < 2; i++) await addPet(store, here.url, 'Behind a full page')
      const full = { ...lists, paths: ['/v1/pets?limit=1'] }
      await haveKept(full)

      await addPet(store, here.url, 'Last')
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
      expect(ms).toBeLessThan(2500)
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
      const adding = addPet(store, writer.url, 'Late').catch(() => null)
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
      const { status } = await addPet(store, here.url, 'Late')
      const since = performance.now()
      await redis.takeOver()

      expect(status).toBe(201)
      expectNoOldAnswer(await askOverAndOver(lists, 1000), since, lacks('Late'))
    })

    describe('after somebody', () => {
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
        ['edits by psql', '', ''],
        ['edits as a replica, whose triggers rest', 'SET session_replication_role = replica', ''],
        ['switches the triggers off, edits, and switches them on', ...off('USER')],
        ['switches all triggers off, edits, and switches them on, as a restore does', ...off('ALL')],
      ])('%s', async (_, before, after) => {
        const { everything, env } = two
        const sql = await connect(env.DATABASE_URL)
        for (const name of triggers.pets) await sql.query(`ALTER TABLE pets ENABLE ALWAYS TRIGGER ${name}`)
        await sql.query(`UPDATE pets SET name = 'As it was'`)
        await pause(250)
        await haveKept(everything)

        if (before) await sql.query(before)
        await sql.query(`UPDATE pets SET name = 'Changed'; ${after}`)
        const since = performance.now()

        expectNoOldAnswer(await askOverAndOver(everything, 700), since, has('As it was'))
      })

      it('pauses a process for a while', async () => {
        const { other, everything, env } = two
        const sql = await connect(env.DATABASE_URL)
        await sql.query(`UPDATE pets SET name = 'As it was'`)
        await pause(250)
        await haveKept(everything)

        other.child.kill('SIGSTOP')
        await sql.query(`UPDATE pets SET name = 'Changed'`)
        const asking = askOverAndOver({ ...everything, urls: [other.url] }, 1000)
        await pause(500)
        other.child.kill('SIGCONT')

        expectNoOldAnswer(await asking, Number.NEGATIVE_INFINITY, has('As it was'))
      })
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
