import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openPlaces } from '../../src/limiter/places.ts'
import { openRedis } from '../../src/limiter/redis.ts'
import { openLog } from '../../src/tools/log.ts'
import { findProgram } from '../support/programs.ts'
import { startRedis } from '../support/services.ts'

type Redis = Awaited<ReturnType<typeof openRedis>>

describe.runIf(findProgram('redis-server'))('slots for concurrent requests over several processes', () => {
  let service: Awaited<ReturnType<typeof startRedis>>
  beforeAll(async () => {
    service = await startRedis()
  })
  afterAll(() => service.stop())

  async function open(leaseMs?: number): Promise<{ redis: Redis; places: ReturnType<typeof openPlaces> }> {
    const redis = await openRedis(service.url, openLog('silent'))
    const places = openPlaces(redis, leaseMs)
    onTestFinished(() => {
      places.close()
      redis.disconnect()
    })
    return { redis, places }
  }

  test('processes share the limit of concurrent requests of a client, and the end of a request makes room for another', async () => {
    const [one, other] = [await open(), await open()]
    const subject = randomUUID()
    const taken = [await one.places.take(subject, 2), await other.places.take(subject, 2)]

    const refused = [await one.places.take(subject, 2), await other.places.take(subject, 2)]
    const foreign = await other.places.take(randomUUID(), 2)
    taken[1]?.()

    expect(taken).toEqual([expect.any(Function), expect.any(Function)])
    expect(refused).toEqual([null, null])
    expect(foreign).not.toBeNull()
    await expect.poll(() => one.places.take(subject, 2)).not.toBeNull()
  })

  test('exactly as many concurrent requests of a client are accepted as its limit allows', async () => {
    const processes = [await open(), await open()]
    const subject = randomUUID()
    const taking = Array.from({ length: 40 }, (_, n) => processes[n % 2]?.places.take(subject, 7))

    const taken = await Promise.all(taking)

    expect(taken.filter(place => place !== null)).toHaveLength(7)
  })

  test('slots for concurrent requests become free if their process is killed, and stay taken while the process runs', async () => {
    const [running, killed, next] = [await open(900), await open(900), await open(900)]
    const subject = randomUUID()
    await running.places.take(subject, 2)
    await killed.places.take(subject, 2)
    killed.places.close()
    killed.redis.disconnect()

    await expect.poll(() => next.places.take(subject, 2), { timeout: 10_000 }).not.toBeNull()

    expect(await next.places.take(subject, 2)).toBeNull()
  })
})

test('without Redis a process counts the concurrent requests of a client by itself', async () => {
  const places = openPlaces(null)
  const [first] = [await places.take('own', 1)]

  expect(await places.take('own', 1)).toBeNull()
  first?.()
  expect(await places.take('own', 1)).not.toBeNull()
  places.close()
})
