import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { openOutage } from '../../src/database/outage.ts'
import { named, startWorker } from '../../src/jobs/worker.ts'
import { openLog } from '../../src/tools/log.ts'
import { startPlatform } from '../support/hosting.ts'

const tools = { log: openLog('silent'), database: { outage: openOutage() } }

test('a worker does all due jobs, a few at a time, and ends when it is closed', async () => {
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

test('a worker runs at most as many jobs as it has slots, and takes the next job when a slot is free', async () => {
  const due = Array.from({ length: 7 }, (_, n) => n)
  const limits: number[] = []
  const ends: (() => void)[] = []
  const worker = startWorker(tools, {
    everyMs: 60_000,
    mostAtOnce: 3,
    async claim(most) {
      limits.push(most)
      return due.splice(0, most)
    },
    run: () => new Promise(resolve => ends.push(resolve)),
  })
  await expect.poll(() => ends.length).toBe(3)
  worker.wake()
  await new Promise(setImmediate)
  expect(limits).toEqual([3])

  ends[0]?.()
  await expect.poll(() => ends.length).toBe(4)
  expect(limits).toEqual([3, 1])

  const closed = worker.close()
  for (const end of ends) end()
  await closed
})

test('a failing job and a failing query are logged with the name of the work, and other jobs continue', async () => {
  const log = openLog('silent')
  const lines = vi.spyOn(log, 'error').mockImplementation(() => {})
  const done: number[] = []
  let claims = 0
  const worker = startWorker(
    { log, database: tools.database },
    named('clock', {
      everyMs: 1,
      mostAtOnce: 5,
      async claim() {
        if (++claims === 1) throw new Error('no claim')
        return claims === 2 ? [1, 2, 3] : []
      },
      async run(job) {
        if (job === 2) throw new Error('no job')
        done.push(job)
      },
    }),
  )

  await expect.poll(() => done).toEqual([1, 3])
  await worker.close()

  expect(lines.mock.calls).toMatchObject([
    [{ error: { message: 'no claim' }, job: 'clock' }, 'due jobs cannot be read'],
    [{ error: { message: 'no job' }, job: 'clock' }, 'a job failed'],
  ])
})

test('idle processes without due jobs commit fewer than 40 transactions a second in PostgreSQL', async ({
  skip,
}) => {
  if (inject('services').postgresUrl === null) return skip('PostgreSQL is not installed')
  const platform = await startPlatform()
  onTestFinished(() => platform.stop())
  const { db } = platform.first.tools
  const count = async () => {
    const [row] = await db.$queryRaw<{ transactions: bigint }[]>`
      SELECT xact_commit AS transactions FROM pg_stat_database WHERE datname = current_database()`
    return Number(row?.transactions ?? 0)
  }

  const rates: number[] = []
  for (let round = 0; round < 2; round++) {
    const [before, startedAt] = [await count(), performance.now()]
    await new Promise(resolve => setTimeout(resolve, 4_000))
    rates.push(((await count()) - before) / ((performance.now() - startedAt) / 1000))
  }

  // PostgreSQL counts the last transactions of an idle connection up to ten seconds late, so one of the two rounds may
  // include transactions from the start of the platform. The lower rate does not include these transactions.
  expect(Math.min(...rates)).toBeLessThan(40)
})

test('a worker that is woken during its query for due jobs queries once more after this query', async () => {
  let claims = 0
  const looks: (() => void)[] = []
  const worker = startWorker(tools, {
    everyMs: 60_000,
    mostAtOnce: 3,
    async claim() {
      claims++
      await new Promise<void>(resolve => looks.push(resolve))
      return []
    },
    async run() {},
  })
  expect(claims).toBe(1)

  worker.wake()
  looks[0]?.()

  await expect.poll(() => claims).toBe(2)
  const closed = worker.close()
  looks[1]?.()
  await closed
})

test('a worker that ends waits for its running jobs, and not for its next interval', {
  timeout: 10_000,
}, async () => {
  const { promise: job, resolve: end } = Promise.withResolvers<void>()
  const [due, done] = [[1], [] as string[]]
  const worker = startWorker(tools, {
    everyMs: 60_000,
    mostAtOnce: 3,
    claim: async most => due.splice(0, most),
    async run(_, signal) {
      done.push('began')
      signal.addEventListener('abort', () => done.push('told'))
      await job
      done.push('ended')
    },
    end: async () => void done.push('last'),
  })
  await expect.poll(() => done).toEqual(['began'])

  const closed = worker.close().then(() => done.push('closed'))
  await expect.poll(() => done).toEqual(['began', 'told'])
  await new Promise(setImmediate)
  expect(done).toEqual(['began', 'told'])
  end()
  await closed

  expect(done).toEqual(['began', 'told', 'ended', 'last', 'closed'])
})
