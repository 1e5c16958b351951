import { Cluster, type Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { BanRule, Charge, WindowRule } from '../../src/limiter/charge.ts'
import type { Decision } from '../../src/limiter/decision.ts'
import { Limiter } from '../../src/limiter/limiter.ts'
import { openRedis } from '../../src/limiter/redis.ts'
import { keyOf } from '../../src/limiter/redis-counts.ts'
import { openLog } from '../../src/tools/log.ts'
import { movableClock } from '../support/clock.ts'
import { consume, peek } from '../support/limiters.ts'
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
    let setBackBy = 0
    /** Sets the computer's clock back; windows in memory must not follow it. */
    const setBack = () => {
      setBackBy = hour
    }
    const hour = 3_600_000
    const countedIn = new Set<string>()
    const took: number[] = []
    let redis: Redis | Cluster | null
    let limiter: Limiter
    let close: () => Promise<void>

    beforeAll(async () => {
      const service = await start()
      redis = service.url === null ? null : await openRedis(service.url, log)
      const wallClock = { ...clock, now: () => clock.now() - setBackBy }
      const nodes = () => (redis instanceof Cluster ? redis.nodes('master') : redis ? [redis] : [])
      const answer = async () => {
        const answers = await Promise.all(nodes().map(node => node.ping()))
        return answers.length > 0 && redis?.status === 'ready'
      }
      // `openRedis` waits at most about a second for Redis, and a busy machine may need longer. So wait here until
      // every node of Redis answers.
      if (redis) await vi.waitUntil(() => answer().catch(() => false), { timeout: 30_000 })
      // The timeout is long, because a busy machine may delay the answers of Redis. Other tests cover a slow Redis.
      limiter = new Limiter({
        redis,
        clock: wallClock,
        log,
        count: store => countedIn.add(store),
        time: seconds => took.push(seconds),
        timeoutMs: 10_000,
      })
      close = async () => {
        limiter.close()
        redis?.disconnect()
        await service.stop()
      }
    })
    afterAll(() => close())
    afterEach(() => {
      setBackBy = 0
      expect([...countedIn]).toEqual([store])
    })

    function chargeOf(windows: WindowRule[], more: Partial<Charge> = {}): Charge {
      return { subject: `project:${++subjects}`, points: 1, windows, ...more }
    }

    async function spend(times: number, charge: Charge) {
      const decisions = []
      for (let time = 0; time < times; time++) decisions.push(await consume(limiter, charge))
      return decisions.map(({ outcome }) => outcome)
    }

    it('requests pass up to the limit, and each answer has the remaining count', async () => {
      const charge = chargeOf([minute(3), day(100)])

      const decisions = [
        await consume(limiter, charge),
        await consume(limiter, charge),
        await consume(limiter, charge),
      ]
      const refused = await consume(limiter, charge)

      expect(decisions.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted', 'accepted'])
      expect(decisions.map(({ windows }) => windows.map(({ remaining }) => remaining))).toEqual([
        [2, 99],
        [1, 98],
        [0, 97],
      ])
      expect(refused).toMatchObject({ outcome: 'limited', banEndsAt: null })
      expect(refused.retryAt).toBe(refused.windows[0]?.resetAt)
    })

    it('exactly 60 of 200 concurrent requests pass', async () => {
      const charge = chargeOf([minute(60), day(1000)])

      const decisions = await Promise.all(Array.from({ length: 200 }, () => consume(limiter, charge)))

      expect(decisions.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(60)
    })

    it('a refused request costs nothing in any window', async () => {
      const charge = chargeOf([minute(2), day(100)])

      await spend(50, charge)
      clock.advance(60_000)
      const next = await consume(limiter, charge)

      expect(next.outcome).toBe('accepted')
      expect(next.windows.map(({ remaining }) => remaining)).toEqual([1, 97])
    })

    it('if the day is full, requests are refused although the minute has room, and retryAt is the end of the day', async () => {
      const charge = chargeOf([minute(10), day(2)])

      await spend(2, charge)
      const refused = await consume(limiter, charge)

      expect(refused.outcome).toBe('limited')
      expect(refused.windows.map(({ remaining }) => remaining)).toEqual([8, 0])
      expect(refused.retryAt).toBe(refused.windows[1]?.resetAt)
    })

    it('a refusal names the end of the full window, and not the end of a window that still has room', async () => {
      const charge = chargeOf([minute(2), day(3)])
      await spend(2, charge)

      const { outcome, retryAt, windows } = await consume(limiter, charge)

      expect(outcome).toBe('limited')
      expect(retryAt).toBe(windows[0]?.resetAt)
      expect(Number(retryAt)).toBeLessThan(Number(windows[1]?.resetAt))
    })

    it('a charge larger than the remaining points is refused and takes no points', async () => {
      const charge = chargeOf([minute(5)])

      await spend(2, charge)
      const tooMuch = await consume(limiter, { ...charge, points: 5 })
      const fits = await consume(limiter, { ...charge, points: 3 })

      expect(tooMuch).toMatchObject({ outcome: 'limited', windows: [{ remaining: 3 }] })
      expect(fits).toMatchObject({ outcome: 'accepted', windows: [{ remaining: 0 }] })
    })

    it('a charge on two budgets is taken from both or from neither', async () => {
      const management = (points: number): WindowRule => ({
        name: 'management',
        seconds: 60,
        limit: 3,
        points,
      })
      const charge = chargeOf([minute(10, 4), management(2)])

      const paid = await consume(limiter, charge)
      const refused = await consume(limiter, charge)
      const storeOnly = await consume(limiter, { ...charge, windows: [minute(10, 6), management(0)] })

      expect(paid.windows.map(({ remaining }) => remaining)).toEqual([6, 1])
      expect(refused.outcome).toBe('limited')
      expect(refused.windows.map(({ remaining }) => remaining)).toEqual([6, 1])
      expect(storeOnly.outcome).toBe('accepted')
      expect(storeOnly.windows.map(({ remaining }) => remaining)).toEqual([0, 1])
    })

    it('a window begins with its first use and ends at the announced time', async () => {
      const charge = chargeOf([minute(1)])

      const first = await consume(limiter, charge)
      clock.advance(55_000)
      const early = await consume(limiter, charge)
      clock.advance(5_100)
      const late = await consume(limiter, charge)

      expect((first.windows[0]?.resetAt ?? 0) - clock.now()).toBeCloseTo(-100, -4)
      expect(early.outcome).toBe('limited')
      expect(early.retryAt).toBe(first.windows[0]?.resetAt)
      expect(late.outcome).toBe('accepted')
    })

    if (store === 'redis') {
      it('the counts of a charge expire with its window, and counts of refusals expire when they can no longer lead to a ban', async () => {
        const ban = { key: 'a', refusalsPerMinute: 1, seconds: 300, maxSeconds: 3600 }
        const charge = chargeOf([minute(1)], { ban })
        const secondsLeft = async (key: string) => Math.ceil(Number(await redis?.pttl(key)) / 10_000) * 10
        const timesLeft = async () => [
          await secondsLeft(keyOf(charge.subject)),
          await secondsLeft(`${keyOf(charge.subject)}:refusals:a`),
        ]

        await spend(1, charge)
        expect((await timesLeft())[0]).toBe(60)
        await spend(1, charge)
        expect(await timesLeft()).toEqual([60, 60])
        // The ban lasts longer than the only window. The service remembers the ban for a day, and a second ban on this
        // day lasts twice as long.
        expect(await spend(1, charge)).toEqual(['banned'])
        expect(await timesLeft()).toEqual([300, 86_400])
      })

      it('a charge of no points stores only the version of its subject, for a minute; peeks and refused charges store nothing', async () => {
        const free = chargeOf([minute(1)], { points: 0 })
        const none = chargeOf([minute(0)])

        const { version } = await consume(limiter, free)
        await peek(limiter, none)
        await spend(3, none)

        expect((await peek(limiter, free)).version).toBe(version)
        expect(version).toEqual(expect.any(String))
        expect(await redis?.hgetall(keyOf(free.subject))).toEqual({ version })
        const storedMs = Number(await redis?.pttl(keyOf(free.subject)))
        expect(storedMs).toBeGreaterThan(50_000)
        expect(storedMs).toBeLessThanOrEqual(60_000)
        expect(await redis?.exists(keyOf(none.subject))).toBe(0)
      })

      it('thirty-two bans within a day are remembered', async () => {
        const ban = { key: 'a', refusalsPerMinute: 0, seconds: 1, maxSeconds: 1 }
        const charge = chargeOf([minute(0)], { ban })

        for (let bans = 0; bans < 35; bans++) {
          expect(await spend(1, charge)).toEqual(['banned'])
          clock.advance(1_001)
        }

        const remembered = await redis?.hget(`${keyOf(charge.subject)}:refusals:a`, 'bans')
        expect(remembered?.split(' ')).toHaveLength(32)
      })

      it('a new ban deletes the ended bans of the same project, which stays in use', async () => {
        const project = chargeOf([day(100)])
        const banned = (key: string, seconds: number) =>
          spend(1, {
            ...project,
            windows: [minute(0)],
            ban: { key, refusalsPerMinute: 0, seconds, maxSeconds: seconds },
          })
        const bans = async () => {
          const fields = await redis?.hgetall(keyOf(project.subject))
          return Object.keys(fields ?? {}).filter(field => field.startsWith('ban'))
        }
        await spend(1, project)
        for (const key of ['a', 'b', 'c', 'd']) await banned(key, key === 'b' ? 100 : 10)
        expect(await bans()).toHaveLength(5)

        clock.advance(10_001)
        expect(await banned('e', 10)).toEqual(['banned'])
        expect((await bans()).toSorted()).toEqual(['ban:b', 'ban:e', 'bans'])
        expect(await banned('b', 10)).toEqual(['banned'])

        await limiter.delete(project.subject, { key: 'e' })
        await limiter.block(project.subject, 10, { key: 'f' })
        expect((await bans()).toSorted()).toEqual(['ban:b', 'ban:f', 'bans'])
        for (const key of ['b', 'f']) await limiter.delete(project.subject, { key })
        expect(await bans()).toEqual([])
        expect((await peek(limiter, project)).windows[0]?.remaining).toBe(99)
      })

      it('the limiter reports Redis’ time in seconds', async () => {
        const began = performance.now()
        took.length = 0

        for (let time = 0; time < 3; time++) await spend(1, chargeOf([minute(1)]))

        expect(took).toHaveLength(3)
        const all = took.reduce((sum, seconds) => sum + seconds, 0)
        expect(all).toBeLessThanOrEqual((performance.now() - began) / 1000)
      })

      // In a cluster, each node decides separately.
      if (!where.includes('cluster'))
        it('at most twelve charges are decided in one call to Redis, and no charge is decided twice', async () => {
          const charge = chargeOf([minute(100)])
          took.length = 0

          const decisions = await Promise.all(Array.from({ length: 30 }, () => consume(limiter, charge)))

          expect(decisions.map(({ windows }) => windows[0]?.remaining)).toEqual(
            Array.from({ length: 30 }, (_, n) => 99 - n),
          )
          expect(took).toHaveLength(3)
          expect((await peek(limiter, charge)).windows[0]?.remaining).toBe(70)
        })

      it("a day's count expires a day after its first request, however many minutes pass in it", async () => {
        const charge = chargeOf([day(100), minute(5)])
        const storedMs = async () => Number(await redis?.pttl(keyOf(charge.subject)))

        const timesLeft: number[] = []
        for (let minutes = 0; minutes < 3; minutes++) {
          await consume(limiter, charge)
          timesLeft.push(await storedMs())
          clock.advance(60_000)
        }

        for (const ms of timesLeft) {
          expect(ms).toBeGreaterThan(86_300_000)
          expect(ms).toBeLessThanOrEqual(86_400_000)
        }
      })
    }

    it('a window starts only with a paid charge, and a free charge takes no points', async () => {
      const charge = chargeOf([minute(2), { ...day(5), points: 0 }])

      const { windows } = await consume(limiter, charge)
      clock.advance(10_000)
      const looked = await consume(limiter, { ...charge, points: 0 })

      expect(windows.map(({ remaining }) => remaining)).toEqual([1, 5])
      expect(looked).toMatchObject({ outcome: 'accepted', windows: [{ remaining: 1 }, { remaining: 5 }] })
      expect(looked.windows[0]?.resetAt).toBe(windows[0]?.resetAt)
      expect(looked.windows[1]?.resetAt).toBeGreaterThanOrEqual((windows[1]?.resetAt ?? 0) + 10_000)
    })

    it('an unused window expires by itself', async () => {
      const charge = chargeOf([day(3), minute(2)])
      await spend(2, charge)

      clock.advance(60_000)
      const { windows } = await consume(limiter, charge)

      expect(windows.map(({ remaining }) => remaining)).toEqual([0, 1])
      expect((await consume(limiter, charge)).outcome).toBe('limited')
    })

    it('the limiter reports that its counts are exact, and all decisions on one subject have an equal version until renewVersion is called', async () => {
      const ban = { key: 'a', refusalsPerMinute: 1, seconds: 300, maxSeconds: 3600 }
      const charge = chargeOf([minute(1)], { ban })
      const isMade = store === 'redis'
      const unknown = await peek(limiter, charge)

      const decisions = [await consume(limiter, charge), await peek(limiter, charge)]
      for (let time = 0; time < 3; time++) decisions.push(await consume(limiter, charge))
      const isRenewed = await limiter.renewVersion(charge.subject)
      const later = await peek(limiter, charge)

      expect(decisions.map(({ outcome }) => outcome)).toEqual([
        ...['accepted', 'limited', 'limited', 'banned', 'banned'],
      ])
      const [version] = decisions.map(({ version }) => version)
      expect(new Set(decisions.map(({ version }) => version))).toEqual(new Set([version]))
      expect(typeof version).toBe(isMade ? 'string' : 'object')
      expect([unknown.version, later.version, isRenewed, limiter.isExact()]).toEqual([null, null, true, true])
    })

    it('a changed plan takes effect at once and keeps the counts', async () => {
      const charge = chargeOf([minute(2)])

      await spend(3, charge)
      const upgraded = await consume(limiter, { ...charge, windows: [minute(10)] })
      const downgraded = await consume(limiter, { ...charge, windows: [minute(1)] })

      expect(upgraded).toMatchObject({ outcome: 'accepted', windows: [{ limit: 10, remaining: 7 }] })
      expect(downgraded).toMatchObject({ outcome: 'limited', windows: [{ limit: 1, remaining: 0 }] })
    })

    it('a peek takes no points, and shows all points of an unused window as remaining', async () => {
      const charge = chargeOf([minute(2), day(5)])

      const before = await peek(limiter, charge)
      await spend(1, charge)
      await peek(limiter, charge)
      const after = await peek(limiter, charge)

      expect(before.windows.map(({ remaining }) => remaining)).toEqual([2, 5])
      expect((before.windows[0]?.resetAt ?? 0) - clock.now()).toBeCloseTo(60_000, -4)
      expect(after.windows.map(({ remaining }) => remaining)).toEqual([1, 4])
      expect(after.outcome).toBe('accepted')
      await spend(1, charge)
      expect((await peek(limiter, charge)).outcome).toBe('limited')
    })

    it('charges that are decided together each get their own result', async () => {
      const charges = Array.from({ length: 30 }, (_, n) => chargeOf([minute(n + 1), day(100 + n)]))
      const left = (taken: number) => charges.map((_, n) => [n + 1 - taken, 100 + n - taken])
      const returned = (decisions: Decision[]) =>
        decisions.map(({ windows }) => windows.map(({ remaining }) => remaining))

      const charged = await Promise.all(charges.map(charge => consume(limiter, charge)))
      const [looked, again] = await Promise.all([
        Promise.all(charges.map(charge => peek(limiter, charge))),
        Promise.all(charges.map(charge => consume(limiter, charge))),
      ])

      expect(returned(charged)).toEqual(left(1))
      expect(returned(looked)).toEqual(left(1))
      // The limit of the first charge is one request, which `charged` has used up.
      expect(again.map(({ outcome }) => outcome)).toEqual(['limited', ...Array(29).fill('accepted')])
      expect(returned(again).slice(1)).toEqual(left(2).slice(1))
      expect(again.map(({ version }) => version)).toEqual(charged.map(({ version }) => version))
    })

    it('the charges of one subject take nothing from another', async () => {
      const [one, other] = [chargeOf([minute(1)]), chargeOf([minute(1)])]

      expect(await spend(2, one)).toEqual(['accepted', 'limited'])
      expect(await spend(2, other)).toEqual(['accepted', 'limited'])
    })

    it.each([2, 4_900])('a clock set back by %i ms gives no second budget', async ms => {
      const ban = { key: 'a', refusalsPerMinute: 1, seconds: 300, maxSeconds: 3600 }
      const charge = chargeOf([minute(2), day(100)], { ban })

      await spend(1, charge)
      clock.advance(-ms)
      const decisions = await spend(4, charge)
      clock.advance(-ms)
      const { outcome } = await peek(limiter, charge)

      expect(decisions).toEqual(['accepted', 'limited', 'banned', 'banned'])
      expect(outcome).toBe('banned')
      clock.advance(2 * ms)
    })

    it('a clock set back by an hour extends no window or ban beyond its length', async () => {
      const ban = { key: 'a', refusalsPerMinute: 1, seconds: 300, maxSeconds: 3600 }
      const charge = chargeOf([minute(1), day(100)], { ban })
      const other = { ...charge, ban: { ...ban, key: 'b' } }
      expect(await spend(3, charge)).toEqual(['accepted', 'limited', 'banned'])

      const back = store === 'memory' ? setBack : () => clock.advance(-hour)
      back()
      const { windows, decidedAt } = await peek(limiter, other)
      for (const { resetAt, seconds } of windows) {
        expect(resetAt - decidedAt).toBeLessThanOrEqual(seconds * 1000)
        expect(resetAt).toBeGreaterThan(decidedAt)
      }
      const banned = await peek(limiter, charge)
      expect((banned.banEndsAt ?? 0) - banned.decidedAt).toBeLessThanOrEqual(300_000)
      expect(banned.retryAt ?? Number.POSITIVE_INFINITY).toBeGreaterThan(banned.decidedAt)
      expect(banned.retryAt).toBe(banned.banEndsAt)
      clock.advance(61_000)
      const afterMinute = await consume(limiter, other)
      clock.advance(240_000)
      const afterBan = await consume(limiter, charge)

      for (const decision of [afterMinute, afterBan])
        expect(decision).toMatchObject({ outcome: 'accepted', retryAt: null, banEndsAt: null })
    })

    describe('bans', () => {
      const banOf = (key: string): BanRule => ({ key, refusalsPerMinute: 3, seconds: 300, maxSeconds: 3600 })

      it('a key with more refusals in a minute than allowed is banned, and no other key', async () => {
        const charge = chargeOf([minute(1)], { ban: banOf('a') })

        const outcomes = await spend(5, charge)
        const banned = await consume(limiter, charge)
        const other = await consume(limiter, { ...charge, ban: banOf('b') })

        expect(outcomes).toEqual(['accepted', 'limited', 'limited', 'limited', 'banned'])
        expect((banned.banEndsAt ?? 0) - clock.now()).toBeCloseTo(300_000, -4)
        expect(banned.retryAt).toBe(banned.banEndsAt)
        expect(other.outcome).toBe('limited')
      })

      it('refusals of one key count for no other key, and peeks do not count', async () => {
        const charge = chargeOf([minute(0)], { ban: banOf('a') })
        const other = { ...charge, ban: banOf('b') }
        const outcomes: string[] = []

        for (let time = 0; time < 3; time++) {
          for (const each of [charge, other]) {
            for (let look = 0; look < 5; look++) outcomes.push((await peek(limiter, each)).outcome)
            outcomes.push((await consume(limiter, each)).outcome)
          }
        }

        expect(new Set(outcomes)).toEqual(new Set(['limited']))
        expect((await consume(limiter, charge)).outcome).toBe('banned')
        expect((await peek(limiter, other)).outcome).toBe('limited')
      })

      it('after a ban shorter than a minute refusals are counted from zero', async () => {
        const ban = { key: 'a', refusalsPerMinute: 2, seconds: 10, maxSeconds: 3600 }
        const charge = chargeOf([{ name: 'day', seconds: 86_400, limit: 0 }], { ban })
        expect(await spend(3, charge)).toEqual(['limited', 'limited', 'banned'])

        clock.advance(10_100)

        expect(await spend(3, charge)).toEqual(['limited', 'limited', 'banned'])
        const { banEndsAt, decidedAt } = await peek(limiter, charge)
        expect((banEndsAt ?? 0) - decidedAt).toBeGreaterThan(15_000)
      })

      it('a ban leaves the counts of the windows unchanged', async () => {
        const charge = chargeOf([minute(2), day(100)], { ban: banOf('a') })
        await spend(1, charge)
        for (let time = 0; time < 4; time++) await consume(limiter, { ...charge, points: 2 })

        const banned = await consume(limiter, charge)
        const other = await peek(limiter, { ...charge, ban: banOf('b') })

        expect(banned.outcome).toBe('banned')
        expect(banned.windows).toEqual(other.windows)
        expect(other.windows.map(({ remaining }) => remaining)).toEqual([1, 99])
      })

      it('the decision that begins a ban has banBegins set, and later decisions do not', async () => {
        const charge = chargeOf([minute(0)], { ban: banOf('a') })

        await spend(3, charge)
        const beginning = await consume(limiter, charge)
        const next = await consume(limiter, charge)

        expect(beginning).toMatchObject({ outcome: 'banned', banBegins: true })
        expect(next).toMatchObject({ outcome: 'banned', banBegins: false, banEndsAt: beginning.banEndsAt })
      })

      it('refusals in different minutes are not added up', async () => {
        const charge = chargeOf([{ name: 'day', seconds: 86_400, limit: 0 }], { ban: banOf('a') })

        expect(await spend(3, charge)).not.toContain('banned')
        clock.advance(60_000)
        expect(await spend(3, charge)).not.toContain('banned')
      })

      it('a ban takes no points, is not extended by requests, and is visible to a peek', async () => {
        const charge = chargeOf([minute(1), day(100)], { ban: banOf('a') })

        await spend(5, charge)
        const before = await peek(limiter, charge)
        clock.advance(61_000)
        expect(await spend(20, charge)).not.toContain('accepted')
        const during = await peek(limiter, charge)
        clock.advance(240_000)
        const after = await consume(limiter, charge)

        expect(before.outcome).toBe('banned')
        expect(during.banEndsAt).toBe(before.banEndsAt)
        expect(after).toMatchObject({ outcome: 'accepted', banEndsAt: null })
        expect(after.windows.map(({ remaining }) => remaining)).toEqual([0, 98])
      })

      it('each ban within a day of the previous ban lasts twice as long, up to a maximum; a day without bans restores the first length', async () => {
        const charge = chargeOf([minute(0)], { ban: banOf('a') })
        const lengths: number[] = []

        for (let ban = 0; ban < 6; ban++) {
          await spend(4, charge)
          const { banEndsAt } = await peek(limiter, charge)
          lengths.push(10 * Math.round(((banEndsAt ?? 0) - clock.now()) / 10_000))
          clock.advance((banEndsAt ?? 0) - clock.now() + 1)
        }
        clock.advance(86_400_000)
        await spend(4, charge)
        const { banEndsAt } = await peek(limiter, charge)

        expect(lengths).toEqual([300, 600, 1200, 2400, 3600, 3600])
        expect((banEndsAt ?? 0) - clock.now()).toBeCloseTo(300_000, -4)
      })
    })
  })
}
