import { setTimeout as pause } from 'node:timers/promises'
import { Cluster } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Budget } from '../../src/limiter/charge.ts'
import { type Limiter, openLimiter, type Store } from '../../src/limiter/limiter.ts'
import { openGathering, openRedis } from '../../src/limiter/redis.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { openLog } from '../../src/tools/log.ts'
import { findProgram } from '../support/programs.ts'
import { startRedisCluster } from '../support/redis-cluster.ts'
import { type Service, startRedis } from '../support/services.ts'

const log = openLog('silent')
const hour = 3_600_000
let budgets = 0

const budgetOf = (limit: number, seconds = 60): Budget => ({
  name: `budget-${++budgets}`,
  window: { name: 'minute', seconds, limit },
})

async function open(url: string | null, patienceMs?: number) {
  const redis = url === null ? null : await openRedis(url, log)
  const gathering = redis && (await openGathering(redis))
  const counted: Record<Store, number> = { redis: 0, memory: 0 }
  const limiter = openLimiter({
    ...{ redis, gathering, clock: systemClock, log, count: store => counted[store]++ },
    ...(patienceMs !== undefined && { patienceMs }),
  })
  const close = () => {
    limiter.close()
    redis?.disconnect()
    gathering?.disconnect()
  }
  return { redis, gathering, limiter, counted, close }
}

async function spend(limiter: Limiter, budget: Budget, times: number, points = 1): Promise<string[]> {
  const outcomes: string[] = []
  for (let time = 0; time < times; time++) {
    outcomes.push((await limiter.charge({ budget, who: 'someone', points })).outcome)
  }
  return outcomes
}

const places = { 'in memory': null, 'in Redis': findProgram('redis-server') && startRedis }

for (const [where, start] of Object.entries(places)) {
  describe.runIf(where === 'in memory' || start)(`a budget of one window, counted ${where}`, () => {
    let service: Service | null
    let process: Awaited<ReturnType<typeof open>>
    let limiter: Limiter
    beforeEach(async () => {
      service = start ? await start() : null
      // A Redis that a loaded machine keeps from answering is another test's.
      process = await open(service?.url ?? null, 10_000)
      limiter = process.limiter
    })
    afterEach(async () => {
      vi.useRealTimers()
      process.close()
      await service?.stop()
    })

    /** Of the computer that counts; what is left of a key's life is what Redis' own clock changes. */
    async function setClockBack({ name }: Budget, ms: number) {
      if (!process.redis) return void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - ms })
      const key = `animal-store:${name}:someone`
      await process.redis.pexpire(key, (await process.redis.pttl(key)) + ms)
    }

    it('lets as many pass as it says, tells each what remains, and when to come again', async () => {
      const charge = { budget: budgetOf(3), who: 'someone', points: 1 }

      const passed = [
        await limiter.charge(charge),
        await limiter.charge(charge),
        await limiter.charge(charge),
      ]
      const refused = await limiter.charge(charge)
      const another = await limiter.charge({ ...charge, who: 'another' })

      expect(passed.map(({ outcome, windows }) => [outcome, windows[0]?.remaining])).toEqual([
        ['accepted', 2],
        ['accepted', 1],
        ['accepted', 0],
      ])
      expect(refused).toMatchObject({
        outcome: 'limited',
        windows: [{ limit: 3, remaining: 0 }],
        version: null,
      })
      expect(refused.retryAt).toBe(refused.windows[0]?.resetAt)
      expect((refused.retryAt ?? 0) - refused.decidedAt).toBeGreaterThan(59_000)
      expect((refused.retryAt ?? 0) - refused.decidedAt).toBeLessThanOrEqual(60_000)
      expect(another.outcome).toBe('accepted')
      expect(process.counted).toEqual(service ? { redis: 5, memory: 0 } : { redis: 0, memory: 5 })
    })

    it('lets exactly as many pass of 200 at once', async () => {
      const charge = { budget: budgetOf(60), who: 'someone', points: 1 }

      const decisions = await Promise.all(Array.from({ length: 200 }, () => limiter.charge(charge)))

      expect(decisions.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(60)
    })

    it('takes nothing with a refused charge of several points', async () => {
      const budget = budgetOf(10)
      await spend(limiter, budget, 1, 6)

      const refused = await limiter.charge({ budget, who: 'someone', points: 5 })

      expect(refused).toMatchObject({ outcome: 'limited', windows: [{ remaining: 4 }] })
      expect(await spend(limiter, budget, 2, 2)).toEqual(['accepted', 'accepted'])
      expect(await spend(limiter, budget, 1)).toEqual(['limited'])
    })

    it('is peeked at without being charged', async () => {
      const charge = { budget: budgetOf(2), who: 'someone', points: 1 }

      const before = await limiter.peek(charge)
      await limiter.charge(charge)
      const after = [await limiter.peek(charge), await limiter.peek(charge)]
      await limiter.charge(charge)
      const full = await limiter.peek(charge)

      expect(before).toMatchObject({ outcome: 'accepted', retryAt: null, windows: [{ remaining: 2 }] })
      expect((before.windows[0]?.resetAt ?? 0) - before.decidedAt).toBe(60_000)
      for (const { outcome, windows } of after)
        expect([outcome, windows[0]?.remaining]).toEqual(['accepted', 1])
      expect(full).toMatchObject({ outcome: 'limited', windows: [{ remaining: 0 }] })
      expect(full.retryAt).toBe(full.windows[0]?.resetAt)
    })

    it('has nothing left, and not less, when many were refused, and is asked for several at once', async () => {
      const budget = budgetOf(3)
      await spend(limiter, budget, 6)
      const other = { budget: budgetOf(3), who: 'someone' }
      await spend(limiter, other.budget, 1)

      const empty = await limiter.peek({ budget, who: 'someone', points: 1 })
      const outcomes = [2, 3].map(async points => (await limiter.peek({ ...other, points })).outcome)

      expect(empty).toMatchObject({ outcome: 'limited', windows: [{ remaining: 0, limit: 3 }] })
      expect(await Promise.all(outcomes)).toEqual(['accepted', 'limited'])
      expect(await spend(limiter, other.budget, 1, 2)).toEqual(['accepted'])
    })

    it('is whole again when its window ends', async () => {
      const budget = budgetOf(1, 1)

      expect(await spend(limiter, budget, 2)).toEqual(['accepted', 'limited'])
      const { windows, decidedAt } = await limiter.peek({ budget, who: 'someone', points: 1 })
      await pause((windows[0]?.resetAt ?? 0) - decidedAt + 20)

      expect(await spend(limiter, budget, 2)).toEqual(['accepted', 'limited'])
    })

    it('gives nobody a second budget when the clock steps back by a moment', async () => {
      const budget = budgetOf(1)
      await spend(limiter, budget, 2)

      await setClockBack(budget, 4_500)

      expect(await spend(limiter, budget, 2)).toEqual(['limited', 'limited'])
      const { retryAt, decidedAt } = await limiter.charge({ budget, who: 'someone', points: 1 })
      expect((retryAt ?? 0) - decidedAt).toBeLessThanOrEqual(60_000)
    })

    it.each(['peek', 'charge'] as const)(
      'holds no window longer than its length when the clock is set back an hour before a %s',
      async act => {
        const budget = budgetOf(3)
        const charge = { budget, who: 'someone', points: 1 }
        await spend(limiter, budget, 4)

        await setClockBack(budget, hour)

        const { windows, decidedAt } = await limiter[act](charge)
        expect((windows[0]?.resetAt ?? 0) - decidedAt).toBeLessThanOrEqual(60_000)
        expect(await spend(limiter, budget, 3)).toEqual([
          ...['accepted', 'accepted'],
          act === 'peek' ? 'accepted' : 'limited',
        ])
      },
    )
  })
}

describe.runIf(findProgram('redis-server'))('a budget of one window, while Redis is away', () => {
  let service: Service
  let process: Awaited<ReturnType<typeof open>>
  beforeEach(async () => {
    service = await startRedis()
    process = await open(service.url)
  })
  afterEach(async () => {
    process.close()
    await service.stop()
  })

  it.each([
    ['killed', () => service.kill9()],
    ['hanging', async () => service.pause()],
  ])('is counted in memory, and nobody waits long: %s', async (_how, takeAway) => {
    const budget = budgetOf(3)
    await spend(process.limiter, budget, 3)
    await takeAway()

    let slowest = 0
    const outcomes: string[] = []
    for (let time = 0; time < 5; time++) {
      const began = performance.now()
      outcomes.push(...(await spend(process.limiter, budget, 1)))
      slowest = Math.max(slowest, performance.now() - began)
    }

    expect(outcomes).toEqual(['accepted', 'accepted', 'accepted', 'limited', 'limited'])
    expect(slowest).toBeLessThan(1_000)
    if (_how === 'hanging') service.resume()
  })

  it.each([
    ['killed', () => service.kill9(), () => service.restart()],
    ['hanging', async () => service.pause(), async () => service.resume()],
  ])('is counted in Redis again once that is back: %s', async (_how, takeAway, giveBack) => {
    const budget = budgetOf(1000)
    await spend(process.limiter, budget, 1)
    await takeAway()
    await Promise.all(Array.from({ length: 20 }, () => spend(process.limiter, budget, 1)))

    await giveBack()

    const another = await open(service.url)
    await vi.waitFor(
      async () => {
        const before = await another.limiter.peek({ budget, who: 'someone', points: 1 })
        await spend(process.limiter, budget, 1)
        const after = await another.limiter.peek({ budget, who: 'someone', points: 1 })
        expect(after.windows[0]?.remaining).toBe((before.windows[0]?.remaining ?? 0) - 1)
      },
      { timeout: 10_000, interval: 100 },
    )
    another.close()
  })
})

/** Opening waits a second for Redis and goes on without it, which on a loaded machine may be too early for a cluster. */
async function untilReached({ redis, gathering, limiter }: Awaited<ReturnType<typeof open>>) {
  await vi.waitFor(
    async () => {
      expect(limiter.isExact()).toBe(true)
      for (const cluster of [redis, gathering]) {
        if (!(cluster instanceof Cluster)) throw new Error('This is no cluster.')
        const masters = cluster.nodes('master')
        expect(masters).toHaveLength(3)
        await Promise.all(masters.map(master => master.ping()))
      }
    },
    { timeout: 30_000, interval: 50 },
  )
}

describe.runIf(findProgram('redis-server'))('a budget of one window, in a Redis cluster', () => {
  it('is counted for all processes at once, on whichever node it lies', async ({ onTestFinished }) => {
    const cluster = await startRedisCluster()
    onTestFinished(() => cluster.stop())
    // Its first questions to each node are slow on a loaded machine, and are not to be answered from memory.
    const [one, another] = [await open(cluster.url, 10_000), await open(cluster.url, 10_000)]
    onTestFinished(() => {
      one.close()
      another.close()
    })
    await untilReached(one)
    await untilReached(another)
    const budget = budgetOf(3)
    const chargeAll = ({ limiter }: typeof one) =>
      Promise.all(
        Array.from({ length: 40 }, async (_, who) => {
          const { windows } = await limiter.charge({ budget, who: `address ${who}`, points: 1 })
          return windows[0]?.remaining
        }),
      )

    expect(new Set(await chargeAll(one))).toEqual(new Set([2]))
    expect(new Set(await chargeAll(another))).toEqual(new Set([1]))
    expect([one.counted, another.counted]).toEqual(Array(2).fill({ redis: 40, memory: 0 }))
  })
})
