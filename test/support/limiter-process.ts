import { systemClock } from '../../src/tools/clock.ts'
import { type Order, openLimiter } from '../../src/tools/limiter.ts'
import { openLog } from '../../src/tools/log.ts'
import { openRedis } from '../../src/tools/redis.ts'

/** A process with a limiter of its own: for each order it is sent, it charges it 100 times at once and tells the outcomes. */
const log = openLog('silent')
const redis = await openRedis(process.env.REDIS_URL ?? '', log)
const limiter = openLimiter({ redis, clock: systemClock, log })

process.on('message', async (order: Order) => {
  const verdicts = await Promise.all(Array.from({ length: 100 }, () => limiter.charge(order)))
  process.send?.(verdicts.map(({ outcome }) => outcome))
})
process.send?.('ready')
