import { describe, expect, it } from 'vitest'
import { forgetOldEvents } from '../../../src/core/events/retention.ts'
import type { PrismaClient } from '../../../src/generated/prisma/client.ts'
import { movableClock } from '../../support/clock.ts'
import { prepareOwnDatabase } from '../../support/open-database.ts'

describe('the retention of events', () => {
  const own = prepareOwnDatabase()
  const clock = movableClock()

  /** Makes a project whose log has `count` management events. */
  async function writeEntries(count: number, floor: number): Promise<number> {
    const { id } = await own.makeProject()
    await own.db.event.deleteMany({ where: { projectId: id } })
    await own.db.$executeRaw`
      INSERT INTO events (project_id, era, number, at, is_management, type, data)
      SELECT ${id}::int, 1, number, now(), true, 'project.changed', '{}'
      FROM generate_series(1, ${count}::int) AS number`
    await own.db.$executeRaw`
      INSERT INTO event_numbers (project_id, last, floor) VALUES (${id}::int, ${count}::bigint, ${floor}::bigint)
      ON CONFLICT (project_id) DO UPDATE SET last = excluded.last, floor = excluded.floor`
    return id
  }

  async function numbersOf(projectId: number): Promise<number[]> {
    const events = await own.db.event.findMany({ where: { projectId }, orderBy: { number: 'asc' } })
    return events.map(({ number }) => Number(number))
  }

  it('keeps a million of the newest management events of a project, although each is younger than 180 days', async () => {
    const id = await writeEntries(8, 1)

    for (let isDone = false; !isDone; )
      isDone = (await forgetOldEvents(own.db, clock, id - 1, 3))?.isDone ?? true
    const kept = await numbersOf(id)
    await forgetOldEvents(own.db, clock, id - 1, 3)

    expect(kept).toEqual([6, 7, 8])
    expect(await numbersOf(id)).toEqual(kept)
  })

  it('deletes nothing of a project with fewer events than are kept', async () => {
    const id = await writeEntries(8, 1)

    const forgotten = await forgetOldEvents(own.db, clock, id - 1, 8)

    expect(forgotten).toEqual({ last: id, isDone: true })
    expect(await numbersOf(id)).toHaveLength(8)
  })

  it('reads only the oldest of the management events that are kept', async () => {
    const id = await writeEntries(5_000, 4_999)
    let read = -1n
    const db = {
      $transaction: (work: (tx: unknown) => Promise<unknown>) =>
        own.db.$transaction(async tx => {
          const result = await work(tx)
          const [counts] = await tx.$queryRaw<{ read: bigint }[]>`
            SELECT seq_tup_read + idx_tup_fetch AS read FROM pg_stat_xact_user_tables WHERE relname = 'events'`
          read = counts?.read ?? -1n
          return result
        }),
    } as unknown as PrismaClient

    await forgetOldEvents(db, clock, id - 1)

    expect(Number(read)).toBeGreaterThanOrEqual(0)
    expect(Number(read)).toBeLessThan(100)
  })
})
