import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Charge } from '../../src/limiter/charge.ts'
import type { Decision } from '../../src/limiter/decision.ts'
import { Limiter } from '../../src/limiter/limiter.ts'
import { openRedis } from '../../src/limiter/redis.ts'
import { openLog } from '../../src/tools/log.ts'
import { movableClock } from '../support/clock.ts'
import { freshRedis } from '../support/databases.ts'
import { consume, peek } from '../support/limiters.ts'
import { findProgram } from '../support/programs.ts'
import { randomOf } from '../support/random.ts'

const log = openLog('silent')
const clock = movableClock()

describe.runIf(findProgram('redis-server'))('memory and Redis', () => {
  let inMemory: Limiter
  let inRedis: Limiter
  let close: () => void

  beforeAll(async () => {
    const redis = await openRedis((await freshRedis()) ?? '', log)
    inMemory = new Limiter({ redis: null, clock, log })
    inRedis = new Limiter({ redis, clock, log, timeoutMs: 10_000 })
    close = () => {
      inRedis.close()
      redis.disconnect()
    }
  })
  afterAll(() => close())

  const instants = ({ windows, banEndsAt, retryAt }: Decision) => [
    ...windows.map(({ resetAt }) => resetAt),
    banEndsAt,
    retryAt,
  ]
  const withoutInstants = ({ outcome, banBegins, windows }: Decision) => ({
    outcome,
    banBegins,
    windows: windows.map(({ resetAt, ...window }) => window),
  })

  const resultOf = (result: Decision | boolean) =>
    typeof result === 'boolean' ? result : withoutInstants(result)
  const operatorActs: ((limiter: Limiter, charge: Charge) => Promise<Decision | boolean>)[] = [
    (limiter, charge) => limiter.reward(charge.subject, charge.points, charge),
    (limiter, charge) => limiter.penalty(charge.subject, charge.points, charge),
    (limiter, charge) => limiter.set(charge.subject, charge.points, 600, charge),
    (limiter, { subject, ban }) => limiter.block(subject, 200, { key: ban?.key ?? 'a' }),
    (limiter, { subject, ban }) => limiter.delete(subject, { key: ban?.key ?? 'a' }),
    (limiter, charge) => limiter.delete(charge.subject, charge),
  ]

  let runs = 0
  for (let seed = 1; seed <= 20; seed++) {
    it(`memory and Redis give the same answers to the same 150 random charges and operator changes (seed ${seed})`, async () => {
      const { below, oneOf } = randomOf(seed)
      const run = ++runs

      for (let step = 0; step < 150; step++) {
        const charge: Charge = {
          subject: `seed:${seed}:${run}:${below(2)}`,
          points: below(4),
          windows: [
            { name: 'minute', seconds: 60, limit: oneOf([0, 3, 5, 10]) },
            { name: 'day', seconds: 86_400, limit: oneOf([30, 60]) },
            { name: 'management', seconds: 60, limit: 6, points: oneOf([0, 0, 1, 2]) },
          ].slice(0, 1 + below(3)),
          ban:
            below(4) > 0
              ? { key: oneOf(['a', 'b']), refusalsPerMinute: 2, seconds: 300, maxSeconds: 3600 }
              : undefined,
        }
        const ask = below(4) > 0 ? consume : peek

        const [here, there] = await Promise.all([ask(inMemory, charge), ask(inRedis, charge)])

        expect(withoutInstants(there), `step ${step}`).toEqual(withoutInstants(here))
        for (const [index, instant] of instants(here).entries()) {
          const other = instants(there)[index] ?? 0
          expect(Math.abs(other - (instant ?? 0)), `step ${step}`).toBeLessThan(2_500)
        }
        if (below(4) === 0) {
          const act = oneOf(operatorActs)
          const [here, there] = await Promise.all([act(inMemory, charge), act(inRedis, charge)])
          expect(resultOf(there), `act after step ${step}`).toEqual(resultOf(here))
        }
        // Move the clock by a multiple of seven seconds. No window or ban lasts a multiple of seven seconds, so no
        // window or ban ends between the call in memory and the call in Redis.
        if (below(3) === 0) clock.advance(7000 * oneOf([1, 2, 5, 10, 50, 3000]))
      }
    })
  }
})
