import type { Charge } from '../../src/limiter/charge.ts'
import { Limiter } from '../../src/limiter/limiter.ts'
import { openRedis } from '../../src/limiter/redis.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { openLog } from '../../src/tools/log.ts'
import { consume } from './limiters.ts'

/** A process with a limiter of its own: for each charge it is sent, it charges it 100 times at once and tells the outcomes. */
const log = openLog('silent')
// How exactly is counted is asked, and not what happens while a loaded machine keeps Redis from answering.
const timeoutMs = 10_000
const redis = await openRedis(process.env.REDIS_URL ?? '', log)
const limiter = new Limiter({ redis, clock: systemClock, log, timeoutMs })

process.on('message', async (charge: Charge) => {
  const decisions = await Promise.all(Array.from({ length: 100 }, () => consume(limiter, charge)))
  process.send?.(decisions.map(({ outcome }) => outcome))
})
process.send?.('ready')
