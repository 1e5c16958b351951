import type { Charge } from '../../src/limiter/charge.ts'
import { Limiter } from '../../src/limiter/limiter.ts'
import { openRedis } from '../../src/limiter/redis.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { openLog } from '../../src/tools/log.ts'
import { consume } from './limiters.ts'

/**
 * A process with its own limiter. For each charge that it receives, it consumes the charge 100 times at once, and sends
 * back the outcomes.
 */
const log = openLog('silent')
// A long timeout: a busy machine may delay Redis, and the tests check only exact counts.
const timeoutMs = 10_000
const redis = await openRedis(process.env.REDIS_URL ?? '', log)
const limiter = new Limiter({ redis, clock: systemClock, log, timeoutMs })

process.on('message', async (charge: Charge) => {
  const decisions = await Promise.all(Array.from({ length: 100 }, () => consume(limiter, charge)))
  process.send?.(decisions.map(({ outcome }) => outcome))
})
process.send?.('ready')
