import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Charge } from '../../src/limiter/charge.ts'
import type { Decision } from '../../src/limiter/decision.ts'
import { type Limiter, openLimiter } from '../../src/limiter/limiter.ts'
import { openRedis } from '../../src/limiter/redis.ts'
import { openLog } from '../../src/tools/log.ts'
import { movableClock } from '../support/clock.ts'
import { freshRedis } from '../support/databases.ts'
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
    inMemory = openLimiter({ redis: null, clock, log })
    inRedis = openLimiter({ redis, clock, log, patienceMs: 10_000 })
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

  for (let seed = 1; seed <= 20; seed++) {
    it(`give the same answers to the same 150 random charges (seed ${seed})`, async () => {
      const { below, oneOf } = randomOf(seed)

      for (let step = 0; step < 150; step++) {
        const charge: Charge = {
          subject: `seed:${seed}:${below(2)}`,
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
        const act = below(4) > 0 ? 'charge' : 'peek'

        const [here, there] = await Promise.all([inMemory[act](charge), inRedis[act](charge)])

        expect(withoutInstants(there), `step ${step}`).toEqual(withoutInstants(here))
        for (const [index, instant] of instants(here).entries()) {
          const other = instants(there)[index] ?? 0
          expect(Math.abs(other - (instant ?? 0)), `step ${step}`).toBeLessThan(500)
        }
        // No window or ban is a multiple of seven seconds, so none ends while the two are asked.
        if (below(3) === 0) clock.advance(7000 * oneOf([1, 2, 5, 10, 50, 3000]))
      }
    })
  }
})
