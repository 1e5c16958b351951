import { setImmediate } from 'node:timers/promises'
import type { Cluster, Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Charge } from '../../src/limiter/charge.ts'
import { Limiter, type Store } from '../../src/limiter/limiter.ts'
import { openRedis } from '../../src/limiter/redis.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { openLog } from '../../src/tools/log.ts'
import { consume } from '../support/limiters.ts'
import { findProgram } from '../support/programs.ts'
import { type Service, startRedis } from '../support/services.ts'
import { watchStalls } from '../support/stalls.ts'

const log = openLog('silent')
const seconds = (count: number) => new Promise(resolve => setTimeout(resolve, count * 1000))

describe.runIf(findProgram('redis-server'))('while Redis is away', () => {
  let service: Service
  let limiters: { limiter: Limiter; redis: Redis | Cluster; counted: Record<Store, number> }[]

  beforeEach(async () => {
    service = await startRedis()
    limiters = await Promise.all(
      [1, 2].map(async () => {
        const redis = await openRedis(service.url, log)
        const counted = { redis: 0, memory: 0 }
        const count = (store: Store) => {
          counted[store]++
        }
        return { redis, counted, limiter: new Limiter({ redis, clock: systemClock, log, count }) }
      }),
    )
  })
  afterEach(async () => {
    for (const { limiter, redis } of limiters) {
      limiter.close()
      redis.disconnect()
    }
    await service.stop()
  })

  const chargeOf = (subject: string, limit: number): Charge => ({
    subject,
    points: 1,
    windows: [{ name: 'minute', seconds: 60, limit }],
  })

  /**
   * Starts eight clients for each limiter. Each client sends one request at a time. The returned `stop` ends the
   * clients, and returns the outcomes and the time of the slowest answer in ms, without stalls of the test process.
   */
  let subjects = 0
  function startLoad() {
    let stopped = false
    onTestFinished(() => {
      stopped = true
    })
    let slowest = 0
    const stalledMs = watchStalls()
    const outcomes = new Set<string>()
    const clients = limiters.flatMap(({ limiter }, process) =>
      Array.from({ length: 8 }, async (_, client) => {
        const charge = chargeOf(`load:${process}:${client}`, 1_000_000)
        while (!stopped) {
          const startedAt = performance.now()
          outcomes.add((await consume(limiter, charge)).outcome)
          slowest = Math.max(slowest, performance.now() - startedAt)
          await setImmediate()
        }
      }),
    )
    return {
      async stop() {
        stopped = true
        await Promise.all(clients)
        return { slowest: slowest - stalledMs(), outcomes: [...outcomes] }
      },
    }
  }

  async function passedOf200(subject: string): Promise<number> {
    const decisions = await Promise.all(
      limiters.flatMap(({ limiter }) =>
        Array.from({ length: 100 }, () => consume(limiter, chargeOf(subject, 60))),
      ),
    )
    return decisions.filter(({ outcome }) => outcome === 'accepted').length
  }

  const untilExact = (timeout: number) =>
    expect
      .poll(() => limiters.every(({ limiter }) => limiter.isExact()), { timeout, interval: 20 })
      .toBe(true)

  it('while Redis hangs, no request fails or is delayed, and soon after Redis returns, the limit is exact again', async () => {
    const load = startLoad()
    let givenUp = 0
    for (const { redis } of limiters) redis.once('reconnecting', () => givenUp++)
    await seconds(0.3)

    service.pause()
    await expect.poll(() => limiters.some(({ limiter }) => limiter.isExact()), { timeout: 5000 }).toBe(false)
    const duringOutage = { ...limiters[0]?.counted }
    // A limiter closes a silent connection to Redis after two seconds and reconnects.
    await expect.poll(() => givenUp, { timeout: 10_000 }).toBe(2)
    service.resume()
    await untilExact(10_000)
    const { slowest, outcomes } = await load.stop()

    expect(outcomes).toEqual(['accepted'])
    // Much shorter than Redis is away, but long enough for a busy machine.
    expect(slowest).toBeLessThan(1_000)
    expect(limiters[0]?.counted.memory).toBeGreaterThan(duringOutage.memory ?? 0)
    await expect.poll(() => passedOf200(`after ${++subjects}`)).toBe(60)
  })

  it('after Redis is killed, no request fails or is delayed, and soon after Redis returns, the limit is exact again', async () => {
    const load = startLoad()
    await seconds(0.3)

    await service.kill9()
    await seconds(1)
    await expect
      .poll(() => limiters.map(({ limiter }) => limiter.isExact()), { timeout: 10_000 })
      .toEqual([false, false])
    await service.restart()
    await untilExact(10_000)
    const { slowest, outcomes } = await load.stop()

    expect(outcomes).toEqual(['accepted'])
    // Much shorter than Redis is away, but long enough for a busy machine.
    expect(slowest).toBeLessThan(1_000)
    await expect.poll(() => passedOf200(`after ${++subjects}`)).toBe(60)
  })

  it('without Redis each process allows the whole limit, and no more', async () => {
    await service.kill9()
    await expect.poll(() => limiters.some(({ limiter }) => limiter.isExact())).toBe(false)

    expect(await passedOf200('apart')).toBe(120)
    expect(limiters.map(({ counted }) => counted)).toEqual([
      { redis: 0, memory: 100 },
      { redis: 0, memory: 100 },
    ])
  })

  it('a stall of the process itself is not treated as an outage of Redis', async () => {
    const pending = passedOf200('stalled')
    await setImmediate()
    for (const until = Date.now() + 400; Date.now() < until; );

    expect(await pending).toBe(60)
    expect(limiters.every(({ limiter }) => limiter.isExact())).toBe(true)
  })

  it('a service that starts without Redis counts by itself and uses Redis once it is there', async () => {
    await service.kill9()
    const redis = await openRedis(service.url, log)
    const limiter = new Limiter({ redis, clock: systemClock, log })
    limiters.push({ redis, limiter, counted: { redis: 0, memory: 0 } })

    expect((await consume(limiter, chargeOf('early', 60))).outcome).toBe('accepted')
    expect(limiter.isExact()).toBe(false)
    await service.restart()
    await untilExact(10_000)
  })
})
