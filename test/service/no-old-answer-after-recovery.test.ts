import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startHoldingProxy } from '../support/holding-proxy.ts'
import { askOverAndOver, expectNoOldAnswer, haveKept } from '../support/over-and-over.ts'
import { findProgram } from '../support/programs.ts'
import {
  backUpPostgres,
  copyPostgres,
  setForPooler,
  startPgBouncer,
  startPostgres,
} from '../support/services.ts'
import { addPet, connect, has, startTwo } from '../support/two-processes.ts'

describe.skipIf(!findProgram('postgres') || !findProgram('redis-server'))(
  'no answer is older than 250 ms',
  () => {
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
      expect((await addPet(store, here.url, 'Lost')).status).toBe(201)
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
      expect((await addPet(store, here.url, 'Lost')).status).toBe(201)
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

    it('after a recovery to a point in time behind the same address, before which a pet was added', async () => {
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
      expect((await addPet(store, here.url, 'Kept')).status).toBe(201)
      await sql.query(`SELECT pg_create_restore_point('before')`)
      expect((await addPet(store, here.url, 'Lost')).status).toBe(201)
      await haveKept(lists)
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

      const seen = await askOverAndOver(lists, 2000)
      expectNoOldAnswer(seen, since, has('Lost'))
      expect(seen.at(-1)?.text).toContain('Kept')
    })

    it('after a crash of PostgreSQL', async () => {
      const postgres = await startPostgres()
      onTestFinished(() => postgres.stop())
      const { everything } = await startTwo({ DATABASE_URL: postgres.url })

      await postgres.kill9()
      await postgres.restart()
      await (await connect(postgres.url)).query(`UPDATE pets SET name = 'Changed'`)
      const since = performance.now()

      expectNoOldAnswer(await askOverAndOver(everything, 1500), since, has('First'))
    })

    it('behind a pooler whose PostgreSQL crashes', async ({ skip }) => {
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
      expectNoOldAnswer(await askOverAndOver(everything, 700), since, has('First'))

      await postgres.kill9()
      await postgres.restart()
      const sinceCrash = await edit('Changed again')
      expectNoOldAnswer(await askOverAndOver(everything, 3000), sinceCrash, text => !text.includes('again'))
    })
  },
)
