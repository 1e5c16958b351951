import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { inOneProcess } from '../../src/core/long-work.ts'
import { noteWork } from '../../src/database/owner.ts'
import { openPlaces } from '../../src/limiter/places.ts'
import { openRedis } from '../../src/limiter/redis.ts'
import { openLog } from '../../src/tools/log.ts'
import { findProgram } from '../support/programs.ts'
import { startRedis } from '../support/services.ts'

const [project, neighbour] = [{ id: 71 }, { id: 72 }]
const workMs = 60

/** Lets a neighbour's requests begin until the test ends. */
function keepNeighbourAtWork(): void {
  noteWork(neighbour.id)
  const timer = setInterval(() => noteWork(neighbour.id), 50)
  onTestFinished(() => clearInterval(timer))
}

/** Does the project's long work once in each of these processes at once, and returns the most that ran at a time. */
async function mostAtATime(processes: Pick<ReturnType<typeof openPlaces>, 'take'>[]): Promise<number> {
  let running = 0
  let most = 0
  await Promise.all(
    processes.map(places =>
      inOneProcess(places, 'changes', project, async () => {
        most = Math.max(most, ++running)
        await pause(workMs)
        running--
      }),
    ),
  )
  return most
}

test.runIf(findProgram('redis-server'))(
  'beside the requests of other projects, only one of three processes does the long work of a project',
  async () => {
    const service = await startRedis()
    onTestFinished(() => service.stop())
    const open = async () => {
      const redis = await openRedis(service.url, openLog('silent'))
      const places = openPlaces(redis)
      onTestFinished(() => {
        places.close()
        redis.disconnect()
      })
      return places
    }
    const processes = [await open(), await open(), await open()]

    // Without a neighbour, all of them.
    await pause(300)
    expect(await mostAtATime(processes)).toBe(3)
    keepNeighbourAtWork()
    expect(await mostAtATime(processes)).toBe(1)
  },
)

test('the long work begins without its place after five seconds, and passes on its error', async () => {
  keepNeighbourAtWork()
  const began = performance.now()

  const refused = inOneProcess({ take: async () => null }, 'imports', project, () =>
    Promise.reject(new Error('no')),
  )

  await expect(refused).rejects.toThrow('no')
  expect(performance.now() - began).toBeGreaterThan(4_900)
})
