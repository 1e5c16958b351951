import { expect, it } from 'vitest'
import { openLimitNotices } from '../../src/core/projects/limit-notices.ts'
import type { PrismaClient } from '../../src/generated/prisma/client.ts'
import { recordEnds } from '../../src/jobs/notices.ts'
import { movableClock } from '../support/clock.ts'
import { prepareOwnDatabase } from '../support/open-database.ts'

const own = prepareOwnDatabase()

it('old notices are deleted even if the events of keys, certificates and usage cannot be written', async () => {
  const old = new Date(Date.now() - 181 * 86_400_000)
  await own.makeProject()
  await own.db.notice.create({ data: { projectId: 1, what: 'old', at: old } })
  const failing = own.db.$extends({
    query: {
      async $executeRaw({ args, query }) {
        if ((args as unknown as { sql: string }).sql.includes('INSERT INTO told')) throw new Error('stopped')
        return query(args)
      },
    },
  }) as unknown as PrismaClient

  const runs = await Promise.allSettled(
    recordEnds(failing, movableClock()).map(({ run }) => run(null, AbortSignal.timeout(10_000))),
  )

  expect(runs.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled'])
  expect(await own.db.notice.findMany({ where: { what: 'old' } })).toEqual([])
})

it('the events of many projects that use up their limit at once are written in batches', async () => {
  const notices = openLimitNotices(own.db)
  const window = { name: 'day', seconds: 86_400, limit: 10, remaining: 0, resetAt: Date.now() + 1 }
  const decision = { outcome: 'accepted', windows: [window] } as unknown as Parameters<typeof notices.note>[1]
  for (let id = 1; id <= 700; id++) {
    const project = { id, slug: `shop-${id}` } as unknown as Parameters<typeof notices.note>[0]
    notices.note(project, decision, 1)
  }
  const written: number[] = []
  while (notices.isDue()) {
    await notices.write()
    written.push(await own.db.told.count({ where: { type: 'limit.reached' } }))
  }

  expect(written).toEqual([1000, 1400])
})
