import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openLongWork } from '../../src/core/long-work.ts'
import { noteWork } from '../../src/database/owner.ts'
import { openPlaces } from '../../src/limiter/places.ts'
import { openRedis } from '../../src/limiter/redis.ts'
import { openLog } from '../../src/tools/log.ts'
import { findProgram } from '../support/programs.ts'
import { startRedis } from '../support/services.ts'

const [project, neighbour] = [{ id: 71 }, { id: 72 }]
const workMs = 60

/**
 * Records a request of the project `neighbour` with a time one minute in the future. So the request counts until the
 * end of the test, even on a slow machine.
 */
function keepNeighbourAtWork(): void {
  vi.spyOn(performance, 'now').mockReturnValueOnce(performance.now() + 60_000)
  noteWork(neighbour.id)
  vi.restoreAllMocks()
  onTestFinished(() => noteWork(neighbour.id))
}

/** Starts the project's long work in all of these processes, and returns how many ran at the same time. */
async function mostAtATime(
  processes: Pick<ReturnType<typeof openLongWork>, 'inOneProcess'>[],
): Promise<number> {
  let running = 0
  let most = 0
  await Promise.all(
    processes.map(({ inOneProcess }) =>
      inOneProcess('changes', project, async () => {
        most = Math.max(most, ++running)
        await pause(workMs)
        running--
      }),
    ),
  )
  return most
}

const openWithoutPlaces = () => openLongWork({ take: async () => null, close() {} })

test.runIf(findProgram('redis-server'))(
  'while other projects send requests, three processes do the long work of a project one at a time',
  async () => {
    const service = await startRedis()
    onTestFinished(() => service.stop())
    const open = async () => {
      const redis = await openRedis(service.url, openLog('silent'))
      const longWork = openLongWork(openPlaces(redis))
      onTestFinished(() => {
        longWork.close()
        redis.disconnect()
      })
      return longWork
    }
    const processes = [await open(), await open(), await open()]

    // Wait until requests of other projects no longer count, so that all three run at once.
    await pause(300)
    expect(await mostAtATime(processes)).toBe(3)
    keepNeighbourAtWork()
    expect(await mostAtATime(processes)).toBe(1)
  },
)

test('long work that gets no free place within five seconds begins anyway, and its error reaches the caller', async () => {
  keepNeighbourAtWork()
  const began = performance.now()

  const refused = openWithoutPlaces().inOneProcess('imports', project, () => Promise.reject(new Error('no')))

  await expect(refused).rejects.toThrow('no')
  expect(performance.now() - began).toBeGreaterThan(4_900)
})

test('when the process ends, waiting long work begins at once', async () => {
  keepNeighbourAtWork()
  const longWork = openWithoutPlaces()
  let hasBegun = false
  const working = longWork.inOneProcess('imports', project, async () => {
    hasBegun = true
  })
  await pause(200)
  expect(hasBegun).toBe(false)
  const endedAt = performance.now()

  longWork.endWaiting()
  await working

  // Without `endWaiting` the work would wait for another 4.8 s. Three seconds are less, even on a slow machine.
  expect(performance.now() - endedAt).toBeLessThan(3_000)
})
