import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Charge } from '../../src/limiter/charge.ts'
import { Limiter } from '../../src/limiter/limiter.ts'
import { openRedis } from '../../src/limiter/redis.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { consume, peek } from '../support/limiters.ts'
import { findProgram } from '../support/programs.ts'
import { type Service, startRedis } from '../support/services.ts'

const charge: Charge = { subject: '1', points: 1, windows: [{ name: 'minute', seconds: 60, limit: 1e9 }] }

describe.runIf(findProgram('redis-server'))('a Redis that answers and refuses commands', () => {
  let service: Service
  let admin: Redis
  let lines: string[]
  let limiter: Limiter
  let close: () => void
  beforeEach(async () => {
    service = await startRedis()
    admin = new Redis(service.url)
    lines = []
    const log = pino({}, { write: line => lines.push(JSON.parse(line).msg) })
    const redis = await openRedis(service.url, log)
    limiter = new Limiter({ redis, clock: systemClock, log })
    close = () => {
      limiter.close()
      redis.disconnect()
    }
  })
  afterEach(async () => {
    close()
    admin.disconnect()
    await service.stop()
  })

  let inTheWay = ''
  it.each([
    [
      'it is out of memory',
      () => admin.config('SET', 'maxmemory', '1'),
      () => admin.config('SET', 'maxmemory', '0'),
    ],
    ['it became a replica', () => admin.replicaof('127.0.0.1', 1), () => admin.replicaof('NO', 'ONE')],
    [
      'it cannot save',
      async () => {
        await admin.config('SET', 'save', '3600 1')
        const [, folder = ''] = (await admin.config('GET', 'dir')) as string[]
        inTheWay = join(folder, 'dump.rdb')
        mkdirSync(inTheWay)
        await admin.bgsave()
        await expect.poll(() => admin.info('persistence')).toContain('rdb_last_bgsave_status:err')
      },
      async () => {
        rmSync(inTheWay, { recursive: true })
        await admin.bgsave()
      },
    ],
    ...['hset', 'evalsha'].map(command => [
      `its user has no right to run ${command}`,
      () => admin.acl('SETUSER', 'default', `-${command}`),
      () => admin.acl('SETUSER', 'default', `+${command}`),
    ]),
  ] as [string, () => Promise<void>, () => Promise<void>][])(
    'if Redis refuses commands, the limiter counts without Redis until they succeed again, and logs one line at each change: %s',
    async (_why, begin, end) => {
      await consume(limiter, charge)

      // Nothing else may run while the monitor starts: the library fails if the first lines come with its answer.
      await admin.ping()
      const monitor = await admin.monitor()
      const probed = new Set<string>()
      monitor.on('monitor', (_time, words: string[]) => {
        for (const word of words) if (word.includes('probe')) probed.add(word)
      })

      await begin()
      const exact = new Set<boolean>()
      const outcomes = new Set<string>()
      for (const until = performance.now() + 1200; performance.now() < until; ) {
        outcomes.add((await consume(limiter, charge)).outcome)
        outcomes.add((await peek(limiter, charge)).outcome)
        exact.add(limiter.isExact())
        await pause(5)
      }
      const during = [...lines]
      await end()
      await expect.poll(() => limiter.isExact(), { timeout: 3000 }).toBe(true)

      expect([...outcomes]).toEqual(['accepted'])
      expect([...exact]).toEqual([false])
      expect(during).toEqual([
        'limiter: Redis is unavailable; each process counts alone until Redis answers again',
      ])
      expect(lines).toEqual([...during, 'limiter: Redis counts again'])
      expect((await consume(limiter, charge)).version).toEqual(expect.any(String))
      // The probe's keys are in the same hash slot as the keys of the last charge, and the probe deletes them.
      await expect
        .poll(() => [...probed])
        .toEqual(['animal-store:{1}:probe', 'animal-store:{1}:probe:refusals'])
      expect(await admin.keys('*probe*')).toEqual([])
      monitor.disconnect()
    },
  )
})
