import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openChanges } from '../../src/database/changes.ts'
import { addPets, follow, session } from '../support/follow-changes.ts'
import { findProgram } from '../support/programs.ts'

// With fake intervals, the next read happens when the test says so.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const aMoment = () => new Promise(resolve => setImmediate(resolve))
const readers = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND query LIKE '%pg_postmaster_start_time%' AND pid <> pg_backend_pid()`

describe.skipIf(!findProgram('postgres'))('followers of the log of changes', () => {
  it('on one connection, a process reads the log of changes at once and ten times a second, and sweeps the log every minute', async () => {
    const { changes, sql, takeReceived } = await follow()
    await sql(addPets(1, 1))
    const receivedByAnother: unknown[] = []
    changes.follow(change => receivedByAnother.push(change?.leastId))

    changes.start()
    await expect.poll(takeReceived).toEqual(['pets 1 1'])
    for (const pet of [2, 3, 4]) {
      await sql(addPets(1, pet))
      vi.advanceTimersByTime(100)
      await expect.poll(takeReceived).toEqual([`pets 1 ${pet}`])
    }
    expect(receivedByAnother).toEqual([1n, 2n, 3n, 4n])
    expect(await sql(readers)).toHaveLength(1)

    await sql(`UPDATE changes_state SET swept_at = swept_at - interval '1 minute'`)
    vi.advanceTimersByTime(59_700)
    await expect.poll(() => sql('SELECT sweep FROM changes_state')).toEqual([{ sweep: '1' }])
  })

  it.each([
    ['in PostgreSQL all the time', false, [1, 2, 3, 4, 5]],
    ['in the embedded database only while a cache is in use', true, [1, 2, 2, 3, 3]],
  ])('the log of changes is read %s', async (_where, isEmbedded, reads) => {
    const { database, log, counts } = await follow()
    const line = await database.openLine()
    const answers: Promise<unknown>[] = []
    const run: typeof line.run = query => {
      const answer = line.run(query)
      answers.push(answer)
      return answer
    }
    const openLine = async () => ({ ...line, run })
    const changes = openChanges({ database: { ...database, isEmbedded, openLine }, log, counts })
    onTestFinished(() => changes.close())
    const seen: number[] = []
    const passTime = async (ms: number) => {
      vi.advanceTimersByTime(ms)
      await aMoment()
      await answers.at(-1)
      await aMoment()
      seen.push(answers.length)
    }

    changes.start()
    await passTime(0)
    await passTime(100)
    await passTime(100)
    changes.isTrusted(1)
    await passTime(100)
    await passTime(100)

    expect(seen).toEqual(reads)
  })

  it('the caches of the embedded database stay valid while no request uses them', async () => {
    const { database, log, counts, sql } = await follow()
    const changes = openChanges({ database: { ...database, isEmbedded: true }, log, counts })
    onTestFinished(() => changes.close())

    changes.start()
    for (const sweep of ['1', '2', '3']) {
      await sql(`UPDATE changes_state SET swept_at = swept_at - interval '1 minute'`)
      vi.advanceTimersByTime(60_000)
      await expect.poll(() => sql('SELECT sweep FROM changes_state')).toEqual([{ sweep }])
    }
    await changes.read()

    expect(counts.timesForgotten).toBe(0)
  })

  it('a follower that closes waits for its running read, and leaves no connection and no timer', async () => {
    const { databaseUrl, changes, said, sql } = await follow()
    changes.start()
    await changes.read()
    const holder = await session(databaseUrl)
    await holder('BEGIN; LOCK TABLE changes IN ACCESS EXCLUSIVE MODE')
    vi.advanceTimersByTime(100)
    const waiting = () => sql(`${readers} AND wait_event_type = 'Lock'`)
    await expect.poll(waiting).toHaveLength(1)
    let hasEnded = false

    const ending = changes.close().then(() => {
      hasEnded = true
    })
    await sql('SELECT 1')
    expect([hasEnded, vi.getTimerCount()]).toEqual([false, 0])
    await holder('COMMIT')
    await ending

    expect(said).toEqual([])
    await expect.poll(() => sql(readers)).toHaveLength(0)
  })
})
