import { describe, expect, it } from 'vitest'
import { forgetOldNotices, recordUsage } from '../../../src/core/events/notices.ts'
import type { PrismaClient } from '../../../src/generated/prisma/client.ts'
import { makeCallers } from '../../support/callers.ts'
import { prepareOwnDatabase } from '../../support/open-database.ts'

const dayMs = 86_400_000
const now = new Date('2026-03-10T12:00:00Z')
const dayOf = (daysAgo: number) => new Date(now.getTime() - daysAgo * dayMs).toISOString().slice(0, 10)
const { signal } = new AbortController()

describe('notices of many projects', () => {
  const own = prepareOwnDatabase()

  /** Makes projects that have used yesterday. All earlier days are done. */
  async function makeUsers(count: number): Promise<void> {
    const earlier = Array.from({ length: 60 }, (_, index) => `usage ${dayOf(index + 2)}`)
    await own.db.notice.createMany({ data: earlier.map(what => ({ projectId: 0, what })) })
    const callers = await makeCallers(own.db, count)
    const use = { day: new Date(dayOf(1)), refusals: 1, faulty: 2, failed: 3 }
    await own.db.usage.createMany({
      data: callers.flatMap(({ project }) => [
        { projectId: project.id, door: 'rest', requests: 10, ...use },
        { projectId: project.id, door: 'graphql', requests: 20, ...use },
      ]),
    })
  }

  /** The database, whose statement with this number fails. `added` has the rows that each statement added. */
  function failingOnce(failing: number, added: number[]): PrismaClient {
    let statements = 0
    return own.db.$extends({
      query: {
        async $executeRaw({ args, query }) {
          if (++statements === failing) throw new Error('stopped')
          const rows = await query(args)
          added.push(Number(rows))
          return rows
        },
      },
    }) as unknown as PrismaClient
  }

  it('if the events of a finished day cannot be written for some projects, the next run writes these events, and no event twice', async () => {
    await makeUsers(250)
    const added: number[] = []
    const db = failingOnce(2, added)

    await expect(recordUsage(db, now, signal, 100)).rejects.toThrow('stopped')
    expect(added).toEqual([100])
    await recordUsage(db, now, signal, 100)
    await recordUsage(db, now, signal, 100)

    expect(added).toEqual([100, 0, 100, 50])
    const written = await own.db.told.findMany({ where: { type: 'usage.recorded' } })
    expect(new Set(written.map(({ projectId }) => projectId)).size).toBe(250)
    expect(written).toHaveLength(250)
    for (const { data } of written)
      expect(data).toMatchObject({
        ...{ day: dayOf(1), requests: 30, refusals: 2, faulty: 4, failed: 6, served: 20 },
      })
  })

  it('a process that stops writes no further events of a finished day', async () => {
    const added: number[] = []
    const stopped = AbortSignal.abort()
    await own.db.notice.deleteMany({ where: { projectId: 0, what: `usage ${dayOf(1)}` } })

    await expect(recordUsage(failingOnce(0, added), now, stopped)).rejects.toThrow()

    expect(added).toEqual([])
    expect(await own.db.notice.count({ where: { projectId: 0, what: `usage ${dayOf(1)}` } })).toBe(0)
  })

  it('old notices are deleted in batches of 10,000', async () => {
    await own.db.notice.deleteMany()
    await own.db.$executeRaw`
      INSERT INTO notices (project_id, what, at)
      SELECT 1, number, ${new Date(now.getTime() - 181 * dayMs)}::timestamptz FROM generate_series(1, 10005) AS number`
    await own.db.notice.create({ data: { projectId: 1, what: 'new', at: now } })

    await forgetOldNotices(own.db, now)
    const left = await own.db.notice.count()
    await forgetOldNotices(own.db, now)

    expect(left).toBe(6)
    expect(await own.db.notice.findMany()).toMatchObject([{ what: 'new' }])
  })
})
