import { beforeEach, expect, it, vi } from 'vitest'
import { openOutage } from '../../src/database/outage.ts'
import { startCleanUp } from '../../src/jobs/clean-up.ts'
import { openLog } from '../../src/tools/log.ts'
import type { Tools } from '../../src/tools.ts'
import { movableClock } from '../support/clock.ts'

const hour = 3_600_000

/** Starts a clean-up whose deletes all fail with this error. */
function startFailing(error: Error) {
  const log = openLog('silent')
  const lines = vi.spyOn(log, 'error').mockImplementation(() => {})
  const outage = openOutage()
  let tries = 0
  const db = {
    async $executeRaw() {
      tries++
      throw error
    },
  }
  const tools = { db, log, clock: movableClock(), database: { outage } } as unknown as Tools
  return { ...startCleanUp(tools), lines, outage, tries: () => tries }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  return () => void vi.useRealTimers()
})

it('a failed clean-up is logged and tried again an hour later', async () => {
  const { lines, tries } = startFailing(new Error('a bug'))

  vi.advanceTimersByTime(hour - 1)
  expect(tries()).toBe(0)
  vi.advanceTimersByTime(1)
  await expect.poll(() => lines.mock.calls.length).toBe(1)
  vi.advanceTimersByTime(hour)
  await expect.poll(() => lines.mock.calls.length).toBe(2)

  expect(lines.mock.calls[0]).toMatchObject([
    { error: { message: 'a bug' } },
    'expired idempotency keys could not be deleted; retrying in an hour',
  ])
})

it('a clean-up during a database outage is logged as an outage', async () => {
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const { lines, outage } = startFailing(away)

  vi.advanceTimersByTime(hour)
  await expect.poll(outage.reason).toBe('the connection is refused')

  expect(lines.mock.calls).toEqual([])
})

it('the clean-up stops with the service', () => {
  const { stop, tries } = startFailing(new Error('a bug'))

  stop()
  vi.advanceTimersByTime(3 * hour)

  expect(tries()).toBe(0)
})
