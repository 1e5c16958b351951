import { beforeEach, expect, it, vi } from 'vitest'
import { checkCounts } from '../../src/jobs/check-counts.ts'
import { openLog } from '../../src/tools/log.ts'

const { signal } = new AbortController()

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  return () => void vi.useRealTimers()
})

/**
 * Returns the job that checks the inventory after a restore, and the warnings that the job logs. The only project has
 * pets that cannot be counted in time.
 */
function checkZoo(findPet: () => Promise<unknown>) {
  const log = openLog('silent')
  const lines = vi.spyOn(log, 'warn').mockImplementation(() => {})
  const db = {
    project: { findMany: async () => [{ id: 1, slug: 'zoo' }] },
    pet: { findFirst: findPet },
    async $queryRaw() {
      throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
    },
  }
  const work = checkCounts({
    log,
    db: db as never,
    changes: { follow: listener => listener(null, 'the tables were replaced, for example by a restore') },
  })
  return { work, lines }
}

it('if a project has too many pets to count, the log names the command that recounts them, and the project is not checked again', async () => {
  const { work, lines } = checkZoo(async () => ({ id: 1n }))
  expect(await work.claim(1)).toEqual([null])

  await work.run(null, signal)

  expect(lines.mock.calls).toEqual([
    [{ projects: ['zoo'] }, 'inventory not checked: too many pets; run SELECT recount_pets()'],
  ])
  vi.advanceTimersByTime(3_600_000)
  expect(await work.claim(1)).toEqual([])
})

it('the inventory check is repeated if the database does not answer at all', async () => {
  const { work, lines } = checkZoo(async () => {
    throw new Error('Query read timeout')
  })

  await expect(work.run(null, signal)).rejects.toThrow('Query read timeout')

  expect(lines.mock.calls).toEqual([])
  vi.advanceTimersByTime(2_000)
  expect(await work.claim(1)).toEqual([null])
})
