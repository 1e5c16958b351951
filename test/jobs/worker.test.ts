import { expect, inject, test } from 'vitest'
import { openOutage } from '../../src/database/outage.ts'
import { startWorker } from '../../src/jobs/worker.ts'
import { openLog } from '../../src/tools/log.ts'
import { startPlatform } from '../support/hosting.ts'

const tools = { log: openLog('silent'), database: { outage: openOutage() } }

test('a worker does all due jobs, a few at a time, and stops between two of them', async () => {
  const due = Array.from({ length: 12 }, (_, n) => n)
  let running = 0
  let mostRunning = 0
  const { promise: allDone, resolve } = Promise.withResolvers<void>()
  const worker = startWorker(tools, {
    everyMs: 60_000,
    mostAtOnce: 3,
    claim: async most => due.splice(0, most),
    async run(job) {
      mostRunning = Math.max(mostRunning, ++running)
      await new Promise(setImmediate)
      running--
      if (job === 11) resolve()
    },
  })

  await allDone
  await worker.close()

  expect(mostRunning).toBe(3)
})

test('a worker with nothing to do leaves the database alone', async ({ skip }) => {
  if (inject('services').postgresUrl === null) return skip('PostgreSQL is not installed')
  const platform = await startPlatform()
  const { db } = platform.first.tools
  const count = async () => {
    const [row] = await db.$queryRaw<{ transactions: bigint }[]>`
      SELECT xact_commit AS transactions FROM pg_stat_database WHERE datname = current_database()`
    return Number(row?.transactions ?? 0)
  }

  const before = await count()
  await new Promise(resolve => setTimeout(resolve, 4_000))
  const perSecond = ((await count()) - before) / 4

  expect(perSecond).toBeLessThan(40)
  await platform.stop()
})
