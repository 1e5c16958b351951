import type { Cluster, Redis } from 'ioredis'
import { RateLimiterCompatibleAbstract, RateLimiterRes, RLWrapperBlackAndWhite } from 'rate-limiter-flexible'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Rules } from '../../src/limiter/charge.ts'
import { RedisOutage } from '../../src/limiter/circuit.ts'
import { Decision } from '../../src/limiter/decision.ts'
import { Limiter } from '../../src/limiter/limiter.ts'
import { openRedis } from '../../src/limiter/redis.ts'
import { openLog } from '../../src/tools/log.ts'
import { movableClock } from '../support/clock.ts'
import { freshRedis } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'

const log = openLog('silent')
const minute = { name: 'minute', seconds: 60, limit: 3 }
const day = { name: 'day', seconds: 86_400, limit: 10 }
const windows = [minute, day]
const ban = { key: 'a', refusalsPerMinute: 1, seconds: 300, maxSeconds: 3600 }
const hasRedis = findProgram('redis-server') !== null
let subjects = 0
const newSubject = () => `project:${++subjects}`

for (const where of ['in memory', 'in Redis']) {
  describe.runIf(hasRedis || where === 'in memory')(
    `a limiter of rate-limiter-flexible that counts ${where}`,
    () => {
      const clock = movableClock()
      let redis: Redis | Cluster | null = null
      let limiter: Limiter
      beforeAll(async () => {
        if (where === 'in Redis') redis = await openRedis((await freshRedis()) ?? '', log)
        limiter = new Limiter({ redis, clock, log, timeoutMs: 10_000 })
      })
      afterAll(() => {
        limiter.close()
        redis?.disconnect()
      })
      const refused = (decision: Promise<Decision>) =>
        decision.then(
          () => 'accepted',
          (refusal: unknown) => (refusal instanceof Decision ? refusal.outcome : refusal),
        )
      const left = async (subject: string, rules: Rules = { windows }) =>
        (await limiter.get(subject, rules)).windows.map(({ remaining }) => remaining)

      it('the limiter resolves and rejects as the library documents, with the numbers of the window that has the fewest points left', async () => {
        const subject = newSubject()

        const first = await limiter.consume(subject, 2, { windows })
        const refusal: unknown = await limiter.consume(subject, 2, { windows }).catch(thrown => thrown)

        expect(limiter).toBeInstanceOf(RateLimiterCompatibleAbstract)
        expect(first).toBeInstanceOf(RateLimiterRes)
        expect(first).toMatchObject({ remainingPoints: 1, consumedPoints: 2, outcome: 'accepted' })
        expect(refusal).toBeInstanceOf(RateLimiterRes)
        expect(refusal).toMatchObject({ remainingPoints: 1, consumedPoints: 2, outcome: 'limited' })
        const { msBeforeNext } = refusal as RateLimiterRes
        expect(msBeforeNext).toBeGreaterThan(50_000)
        expect(msBeforeNext).toBeLessThanOrEqual(60_000)
      })

      it('the limiter can be wrapped in the RLWrapperBlackAndWhite of the library', async () => {
        const wrapped = new RLWrapperBlackAndWhite({ limiter, whiteList: ['friend'], blackList: ['foe'] })
        const subject = newSubject()

        expect(await wrapped.consume(subject, 3, { windows })).toMatchObject({ outcome: 'accepted' })
        await expect(wrapped.consume(subject, 1, { windows })).rejects.toMatchObject({ outcome: 'limited' })
        await expect(wrapped.consume('foe', 1, { windows })).rejects.toBeInstanceOf(RateLimiterRes)
      })

      it('a reward gives back what a charge took of each window, and never more than was taken', async () => {
        const subject = newSubject()
        const management = { name: 'management', seconds: 60, limit: 5, points: 2 }
        await limiter.consume(subject, 1, { windows: [...windows, management] })

        const after = await limiter.reward(subject, 1, { windows: [...windows, management] })
        const again = await limiter.reward(subject, 100, { windows })

        expect(after.windows.map(({ remaining }) => remaining)).toEqual([3, 10, 5])
        expect(again.windows.map(({ remaining }) => remaining)).toEqual([3, 10])
      })

      it('a reward for a window that has ended gives nothing to the window that has begun in its place', async () => {
        const subject = newSubject()
        const { windows: charged } = await limiter.consume(subject, 1, { windows })
        const known = windows.map((window, index) => ({ ...window, resetAt: charged[index]?.resetAt ?? 0 }))
        clock.advance(61_000)
        await limiter.consume(subject, 1, { windows })

        const { windows: after } = await limiter.reward(subject, 1, { windows: known })

        expect(after.map(({ remaining }) => remaining)).toEqual([2, 9])
      })

      it('a reward for a subject without counts begins no window', async () => {
        const subject = newSubject()

        await limiter.reward(subject, 1, { windows })

        expect(await left(subject)).toEqual([3, 10])
        expect(await limiter.delete(subject, { windows })).toBe(false)
      })

      it('a penalty takes its points even if fewer points are left', async () => {
        const subject = newSubject()

        const after = await limiter.penalty(subject, 5, { windows })

        expect(after).toMatchObject({ consumedPoints: 5, windows: [{ remaining: 0 }, { remaining: 5 }] })
        expect(await refused(limiter.consume(subject, 1, { windows }))).toBe('limited')
      })

      it('set gives each window the given used points and restarts the window for the given time, but at most for the window’s length', async () => {
        const subject = newSubject()
        await limiter.consume(subject, 3, { windows })

        const after = await limiter.set(subject, 1, 120, { windows })

        expect(after.windows.map(({ remaining }) => remaining)).toEqual([2, 9])
        expect(
          after.windows.map(({ resetAt }) => 10 * Math.round((resetAt - after.decidedAt) / 10_000)),
        ).toEqual([60, 120])
        expect(
          (await limiter.set(subject, 0, 60, { windows })).windows.map(({ remaining }) => remaining),
        ).toEqual([3, 10])
      })

      it('block bans one key for the given time, and no other key of the project', async () => {
        const subject = newSubject()

        const { banEndsAt, decidedAt, outcome } = await limiter.block(subject, 20, { key: 'a' })
        const outcomes = [
          await refused(limiter.consume(subject, 1, { windows, ban })),
          await refused(limiter.consume(subject, 1, { windows, ban: { ...ban, key: 'b' } })),
        ]
        clock.advance(20_001)

        expect(outcome).toBe('banned')
        expect(10 * Math.round(((banEndsAt ?? 0) - decidedAt) / 10_000)).toBe(20)
        expect(outcomes).toEqual(['banned', 'accepted'])
        expect(await refused(limiter.consume(subject, 1, { windows, ban }))).toBe('accepted')
      })

      it('delete with a key lifts the key’s ban, forgets the key’s earlier bans, and keeps the counts of the windows', async () => {
        const subject = newSubject()
        const full = { windows: [{ ...minute, limit: 0 }], ban }
        const banLength = async () => {
          for (let time = 0; time < 2; time++) await refused(limiter.consume(subject, 1, full))
          const { banEndsAt, decidedAt } = await limiter.get(subject, full)
          return (banEndsAt ?? 0) - decidedAt
        }
        await limiter.consume(subject, 1, { windows: [day] })
        expect(10 * Math.round((await banLength()) / 10_000)).toBe(300)

        const lifted = [
          await limiter.delete(subject, { key: 'a' }),
          await limiter.delete(subject, { key: 'a' }),
        ]

        expect(lifted).toEqual([true, false])
        expect(await refused(limiter.consume(subject, 1, { windows: [minute], ban }))).toBe('accepted')
        expect(await left(subject, { windows: [day] })).toEqual([9])
        expect(10 * Math.round((await banLength()) / 10_000)).toBe(300)
      })

      it('delete with windows resets the counts of these windows and keeps a ban', async () => {
        const subject = newSubject()
        await limiter.consume(subject, 3, { windows })
        await limiter.block(subject, 60, { key: 'a' })

        expect(await limiter.delete(subject, { windows })).toBe(true)

        expect(await left(subject)).toEqual([3, 10])
        expect(await refused(limiter.consume(subject, 1, { windows, ban }))).toBe('banned')
        expect(await limiter.delete(newSubject(), { windows })).toBe(false)
      })
    },
  )
}

describe.runIf(hasRedis)('a limiter whose Redis is away', () => {
  it("while Redis is away, an operator's changes are refused, because other processes would not follow, and a reward is ignored", async () => {
    const redis = await openRedis((await freshRedis()) ?? '', log)
    const limiter = new Limiter({ redis, clock: movableClock(), log })
    redis.disconnect()

    await expect(limiter.block('1', 60, { key: 'a' })).rejects.toBeInstanceOf(RedisOutage)
    await expect(limiter.delete('1', { key: 'a' })).rejects.toBeInstanceOf(RedisOutage)
    await expect(limiter.set('1', 0, 60, { windows })).rejects.toBeInstanceOf(RedisOutage)
    expect(await limiter.reward('1', 1, { windows })).toMatchObject({ outcome: 'accepted' })
    limiter.close()
  })
})
