import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openOutage } from '../../src/database/outage.ts'
import { checkCounts } from '../../src/jobs/check-counts.ts'
import { recordUsedUpLimits } from '../../src/jobs/notices.ts'
import { startWorker, type Work } from '../../src/jobs/worker.ts'
import { openLog } from '../../src/tools/log.ts'

const log = openLog('silent')
const lines = vi.spyOn(log, 'error').mockImplementation(() => {})
const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
beforeEach(() => void lines.mockClear())

test.each([
  ['queries for jobs', { claim: true }],
  ['runs a job', { run: true }],
  ['ends', { end: true }],
])(
  'a database that is away while a worker %s is logged as an outage, and not as a bug',
  async (_, broken: Partial<Record<'claim' | 'run' | 'end', boolean>>) => {
    const outage = openOutage()
    const due = [1]
    const failIf = (fails: boolean | undefined) => {
      if (fails) throw away()
    }
    let claims = 0
    const worker = startWorker(
      { log, database: { outage } },
      {
        everyMs: 1,
        mostAtOnce: 3,
        async claim() {
          failIf(++claims === 1 && broken.claim)
          return due.splice(0, 3)
        },
        async run() {
          failIf(broken.run)
        },
        async end() {
          failIf(broken.end)
        },
      },
    )
    await expect.poll(() => claims).toBeGreaterThan(2)

    await worker.close()

    expect(outage.reason()).toBe('the connection is refused')
    expect(lines.mock.calls).toEqual([])
  },
)

describe('a job that fails and stays due', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  const someTurns = async () => {
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
  }
  const doubling = [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]

  test.each<[string, (statement: () => Promise<never>) => Work<null>, number[]]>([
    [
      'events of used-up limits',
      write => recordUsedUpLimits({ note: () => {}, isDue: () => true, write }),
      [500, 500],
    ],
    [
      'the inventory after a restore',
      findMany =>
        checkCounts({
          log,
          db: { project: { findMany } } as never,
          changes: {
            follow: listener => listener(null, 'the tables were replaced, for example by a restore'),
          },
        }),
      doubling,
    ],
  ])('%s: a failure is tried again after a pause', async (_, makeWork, pauses) => {
    let statements = 0
    const work = makeWork(async () => {
      statements++
      await new Promise(setImmediate)
      throw Object.assign(new Error('could not extend file'), { code: '53100' })
    })

    const worker = startWorker({ log, database: { outage: openOutage() } }, work)
    onTestFinished(() => worker.close())
    await someTurns()
    const seen = [statements]
    for (const ms of pauses) {
      for (const part of [ms - 1, 1]) {
        vi.advanceTimersByTime(part)
        worker.wake()
        await someTurns()
        seen.push(statements)
      }
    }

    expect(seen).toEqual([1, ...pauses.flatMap((_pause, i) => [i + 1, i + 2])])
  })
})

describe('a worker', () => {
  const tools = { log, database: { outage: openOutage() } }

  test('a worker that is closed does not log the errors of jobs that the close stops', async () => {
    const due = [1]
    let began = false
    const worker = startWorker(tools, {
      everyMs: 60_000,
      mostAtOnce: 3,
      claim: async most => due.splice(0, most),
      run: (_, signal) =>
        new Promise((_resolve, reject) => {
          began = true
          signal.addEventListener('abort', () => reject(new Error('it was stopped')))
        }),
    })
    await expect.poll(() => began).toBe(true)

    await worker.close()

    expect(lines.mock.calls).toEqual([])
  })

  test('a worker gets its slot back after a failed job', async () => {
    const due = [1, 2, 3, 4, 5]
    const begun: number[] = []
    const limits: number[] = []
    const worker = startWorker(tools, {
      everyMs: 60_000,
      mostAtOnce: 2,
      async claim(most) {
        limits.push(most)
        return due.splice(0, most)
      },
      async run(job) {
        begun.push(job)
        throw new Error(`no job ${job}`)
      },
    })

    await expect.poll(() => begun).toEqual([1, 2, 3, 4, 5])
    await worker.close()

    expect(Math.max(...limits)).toBe(2)
    expect(lines).toHaveBeenCalledTimes(5)
  })

  test('a worker that is closed during its query for due jobs waits for the jobs that the query finds, and takes no further jobs', async () => {
    const { promise: found, resolve: find } = Promise.withResolvers<number[]>()
    const { promise: job, resolve: finish } = Promise.withResolvers<void>()
    const done: string[] = []
    const worker = startWorker(tools, {
      everyMs: 1,
      mostAtOnce: 3,
      claim() {
        done.push('looked')
        return found
      },
      async run(_, signal) {
        done.push(signal.aborted ? 'began, ended' : 'began')
        await job
        done.push('finished')
      },
      end: async () => void done.push('last'),
    })

    const closed = worker.close().then(() => done.push('closed'))
    find([1])
    await expect.poll(() => done).toEqual(['looked', 'began, ended'])
    await new Promise(setImmediate)
    expect(done).toEqual(['looked', 'began, ended'])
    finish()
    await closed

    expect(done).toEqual(['looked', 'began, ended', 'finished', 'last', 'closed'])
  })

  test('a worker with free slots queries again after its usual interval, and not as soon as its jobs end', async () => {
    const due = [1, 2]
    let claims = 0
    let done = 0
    const worker = startWorker(tools, {
      everyMs: 60_000,
      mostAtOnce: 3,
      async claim(most) {
        claims++
        return due.splice(0, most)
      },
      run: async () => void done++,
    })
    await expect.poll(() => done).toBe(2)
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)

    expect(claims).toBe(1)
    await worker.close()
  })
})
