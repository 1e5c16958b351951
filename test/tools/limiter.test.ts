import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type BanRule,
  type Limiter,
  type Order,
  openLimiter,
  type WindowRule,
} from '../../src/tools/limiter.ts'
import { openLog } from '../../src/tools/log.ts'
import { openRedis } from '../../src/tools/redis.ts'
import { movableClock } from '../support/clock.ts'
import { findProgram } from '../support/programs.ts'
import { startRedisCluster } from '../support/redis-cluster.ts'
import { startRedis } from '../support/services.ts'

const log = openLog('silent')
const hasRedis = findProgram('redis-server') !== null
const places = {
  'in memory': { store: 'memory', start: async () => ({ url: null, stop: async () => {} }), runs: true },
  'in one Redis': { store: 'redis', start: startRedis, runs: hasRedis },
  'in a Redis cluster': { store: 'redis', start: startRedisCluster, runs: hasRedis },
}

const minute = (limit: number, points?: number): WindowRule => ({
  name: 'minute',
  seconds: 60,
  limit,
  points,
})
const day = (limit: number): WindowRule => ({ name: 'day', seconds: 86_400, limit })
let subjects = 0

for (const [where, { store, start, runs }] of Object.entries(places)) {
  describe.runIf(runs)(`limits counted ${where}`, () => {
    const clock = movableClock()
    const countedIn = new Set<string>()
    let limiter: Limiter
    let close: () => Promise<void>

    beforeAll(async () => {
      const service = await start()
      const redis = service.url === null ? null : await openRedis(service.url, log)
      limiter = openLimiter({ redis, clock, log, count: store => countedIn.add(store) })
      close = async () => {
        limiter.close()
        redis?.disconnect()
        await service.stop()
      }
    })
    afterAll(() => close())
    afterEach(() => expect([...countedIn]).toEqual([store]))

    function orderOf(windows: WindowRule[], more: Partial<Order> = {}): Order {
      return { subject: `project:${++subjects}`, points: 1, windows, ...more }
    }

    async function charge(times: number, order: Order) {
      const verdicts = []
      for (let time = 0; time < times; time++) verdicts.push(await limiter.charge(order))
      return verdicts.map(({ outcome }) => outcome)
    }

    it('as many pass as the limit says, and each is told what remains', async () => {
      const order = orderOf([minute(3), day(100)])

      const verdicts = [await limiter.charge(order), await limiter.charge(order), await limiter.charge(order)]
      const refused = await limiter.charge(order)

      expect(verdicts.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted', 'accepted'])
      expect(verdicts.map(({ windows }) => windows.map(({ remaining }) => remaining))).toEqual([
        [2, 99],
        [1, 98],
        [0, 97],
      ])
      expect(refused).toMatchObject({ outcome: 'limited', banEndsAt: null, petsVersion: null })
      expect(refused.retryAt).toBe(refused.windows[0]?.resetAt)
    })

    it('exactly 60 of 200 concurrent requests pass', async () => {
      const order = orderOf([minute(60), day(1000)])

      const verdicts = await Promise.all(Array.from({ length: 200 }, () => limiter.charge(order)))

      expect(verdicts.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(60)
    })

    it('a refused request costs nothing of any window', async () => {
      const order = orderOf([minute(2), day(100)])

      await charge(50, order)
      clock.advance(60_000)
      const next = await limiter.charge(order)

      expect(next.outcome).toBe('accepted')
      expect(next.windows.map(({ remaining }) => remaining)).toEqual([1, 97])
    })

    it('a full day refuses though the minute has room, and says when the day ends', async () => {
      const order = orderOf([minute(10), day(2)])

      await charge(2, order)
      const refused = await limiter.charge(order)

      expect(refused.outcome).toBe('limited')
      expect(refused.windows.map(({ remaining }) => remaining)).toEqual([8, 0])
      expect(refused.retryAt).toBe(refused.windows[1]?.resetAt)
    })

    it('an order of more points than remain is refused whole', async () => {
      const order = orderOf([minute(5)])

      await charge(2, order)
      const tooMuch = await limiter.charge({ ...order, points: 5 })
      const fits = await limiter.charge({ ...order, points: 3 })

      expect(tooMuch).toMatchObject({ outcome: 'limited', windows: [{ remaining: 3 }] })
      expect(fits).toMatchObject({ outcome: 'accepted', windows: [{ remaining: 0 }] })
    })

    it('an order on two budgets pays both or none', async () => {
      const management = (points: number): WindowRule => ({
        name: 'management',
        seconds: 60,
        limit: 3,
        points,
      })
      const order = orderOf([minute(10, 4), management(2)])

      const paid = await limiter.charge(order)
      const refused = await limiter.charge(order)
      const storeOnly = await limiter.charge({ ...order, windows: [minute(10, 6), management(0)] })

      expect(paid.windows.map(({ remaining }) => remaining)).toEqual([6, 1])
      expect(refused.outcome).toBe('limited')
      expect(refused.windows.map(({ remaining }) => remaining)).toEqual([6, 1])
      expect(storeOnly.outcome).toBe('accepted')
      expect(storeOnly.windows.map(({ remaining }) => remaining)).toEqual([0, 1])
    })

    it('a window begins with its first use and ends at the announced time', async () => {
      const order = orderOf([minute(1)])

      const first = await limiter.charge(order)
      clock.advance(59_000)
      const early = await limiter.charge(order)
      clock.advance(1_100)
      const late = await limiter.charge(order)

      expect((first.windows[0]?.resetAt ?? 0) - clock.now()).toBeCloseTo(-100, -3)
      expect(early.outcome).toBe('limited')
      expect(early.retryAt).toBe(first.windows[0]?.resetAt)
      expect(late.outcome).toBe('accepted')
    })

    it('another plan is effective at once and keeps the counts', async () => {
      const order = orderOf([minute(2)])

      await charge(3, order)
      const upgraded = await limiter.charge({ ...order, windows: [minute(10)] })
      const downgraded = await limiter.charge({ ...order, windows: [minute(1)] })

      expect(upgraded).toMatchObject({ outcome: 'accepted', windows: [{ limit: 10, remaining: 7 }] })
      expect(downgraded).toMatchObject({ outcome: 'limited', windows: [{ limit: 1, remaining: 0 }] })
    })

    it('a look costs nothing and shows unused windows whole', async () => {
      const order = orderOf([minute(2), day(5)])

      const before = await limiter.look(order)
      await charge(1, order)
      await limiter.look(order)
      const after = await limiter.look(order)

      expect(before.windows.map(({ remaining }) => remaining)).toEqual([2, 5])
      expect((before.windows[0]?.resetAt ?? 0) - clock.now()).toBeCloseTo(60_000, -3)
      expect(after.windows.map(({ remaining }) => remaining)).toEqual([1, 4])
      expect(after.outcome).toBe('accepted')
      await charge(1, order)
      expect((await limiter.look(order)).outcome).toBe('limited')
    })

    it('one subject takes nothing from another', async () => {
      const [one, other] = [orderOf([minute(1)]), orderOf([minute(1)])]

      expect(await charge(2, one)).toEqual(['accepted', 'limited'])
      expect(await charge(2, other)).toEqual(['accepted', 'limited'])
    })

    describe('bans', () => {
      const banOf = (key: string): BanRule => ({ key, refusalsPerMinute: 3, seconds: 300, maxSeconds: 3600 })

      it('a key whose refusals in a minute exceed the rule is banned, and no other key', async () => {
        const order = orderOf([minute(1)], { ban: banOf('a') })

        const outcomes = await charge(5, order)
        const banned = await limiter.charge(order)
        const other = await limiter.charge({ ...order, ban: banOf('b') })

        expect(outcomes).toEqual(['accepted', 'limited', 'limited', 'limited', 'banned'])
        expect((banned.banEndsAt ?? 0) - clock.now()).toBeCloseTo(300_000, -3)
        expect(banned.retryAt).toBe(banned.banEndsAt)
        expect(other.outcome).toBe('limited')
      })

      it('the verdict that begins a ban says so, once', async () => {
        const order = orderOf([minute(0)], { ban: banOf('a') })

        await charge(3, order)
        const beginning = await limiter.charge(order)
        const next = await limiter.charge(order)

        expect(beginning).toMatchObject({ outcome: 'banned', banBegins: true })
        expect(next).toMatchObject({ outcome: 'banned', banBegins: false, banEndsAt: beginning.banEndsAt })
      })

      it('refusals in different minutes are not added up', async () => {
        const order = orderOf([{ name: 'day', seconds: 86_400, limit: 0 }], { ban: banOf('a') })

        expect(await charge(3, order)).not.toContain('banned')
        clock.advance(60_000)
        expect(await charge(3, order)).not.toContain('banned')
      })

      it('a ban takes no points, is not prolonged by more requests, and is seen by a look', async () => {
        const order = orderOf([minute(1), day(100)], { ban: banOf('a') })

        await charge(5, order)
        const before = await limiter.look(order)
        clock.advance(61_000)
        expect(await charge(20, order)).not.toContain('accepted')
        const during = await limiter.look(order)
        clock.advance(240_000)
        const after = await limiter.charge(order)

        expect(before.outcome).toBe('banned')
        expect(during.banEndsAt).toBe(before.banEndsAt)
        expect(after).toMatchObject({ outcome: 'accepted', banEndsAt: null })
        expect(after.windows.map(({ remaining }) => remaining)).toEqual([0, 98])
      })

      it('each ban within a day lasts twice as long, up to the longest, and after a quiet day the first length again', async () => {
        const order = orderOf([minute(0)], { ban: banOf('a') })
        const lengths: number[] = []

        for (let ban = 0; ban < 6; ban++) {
          await charge(4, order)
          const { banEndsAt } = await limiter.look(order)
          lengths.push(Math.round(((banEndsAt ?? 0) - clock.now()) / 1000))
          clock.advance((banEndsAt ?? 0) - clock.now() + 1)
        }
        clock.advance(86_400_000)
        await charge(4, order)
        const { banEndsAt } = await limiter.look(order)

        expect(lengths).toEqual([300, 600, 1200, 2400, 3600, 3600])
        expect((banEndsAt ?? 0) - clock.now()).toBeCloseTo(300_000, -3)
      })
    })
  })
}
