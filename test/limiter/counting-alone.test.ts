import type { Cluster, Redis } from 'ioredis'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Charge } from '../../src/limiter/charge.ts'
import { Limiter } from '../../src/limiter/limiter.ts'
import { openRedis } from '../../src/limiter/redis.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { openLog } from '../../src/tools/log.ts'
import { freshRedis } from '../support/databases.ts'
import { consume } from '../support/limiters.ts'
import { findProgram } from '../support/programs.ts'

const charge: Charge = { subject: '1', points: 1, windows: [{ name: 'minute', seconds: 60, limit: 3 }] }

describe.runIf(findProgram('redis-server'))('a process that counts alone', () => {
  const log = openLog('silent')
  let redis: Redis | Cluster
  beforeAll(async () => {
    redis = await openRedis((await freshRedis()) ?? '', log)
    return () => redis.disconnect()
  })

  /** Opens a limiter whose Redis has refused the first charge. */
  async function openAlone() {
    const limiter = new Limiter({ redis, clock: systemClock, log, timeoutMs: 10_000 })
    onTestFinished(() => limiter.close())
    redis.defineCommand('decideCharges', { lua: `return redis.error_reply('READONLY as it is')` })
    await consume(limiter, charge)
    expect(limiter.isExact()).toBe(false)
    return limiter
  }

  it('while a process counts without Redis, renewVersion renews no version and returns false', async () => {
    const limiter = await openAlone()
    // Redis would accept charges again now.
    redis.defineCommand('decideCharges', { lua: `return { '1', '' }` })

    expect(await limiter.renewVersion(charge.subject)).toBe(false)
  })

  it('a closed limiter sends nothing more to Redis', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const limiter = await openAlone()
    expect(vi.getTimerCount()).toBe(2)

    limiter.close()

    expect(vi.getTimerCount()).toBe(0)
  })
})
