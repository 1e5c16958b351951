import { setTimeout as pause } from 'node:timers/promises'
import { type Cluster, Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Charge, type Limiter, openLimiter } from '../../src/limiter/limiter.ts'
import { openRedis } from '../../src/limiter/redis.ts'
import { openLog } from '../../src/tools/log.ts'
import { movableClock } from '../support/clock.ts'
import { findProgram } from '../support/programs.ts'
import { type Service, startRedis } from '../support/services.ts'

const log = openLog('silent')

describe.runIf(findProgram('redis-server'))('whoever goes on though refused', () => {
  const clock = movableClock()
  let service: Service
  let watcher: Redis
  let limiter: Limiter
  let another: Limiter
  let connections: (Redis | Cluster)[]

  beforeEach(async () => {
    service = await startRedis()
    connections = [await openRedis(service.url, log), await openRedis(service.url, log)]
    const [limiterHere, limiterThere] = connections.map(redis => openLimiter({ redis, clock, log }))
    if (!limiterHere || !limiterThere) throw new Error('no limiters')
    limiter = limiterHere
    another = limiterThere
    watcher = new Redis(service.url)
  })
  afterEach(async () => {
    for (const one of [limiter, another]) one.close()
    for (const one of [...connections, watcher]) one.disconnect()
    await service.stop()
  })

  /** A minute's limit of one, and a ban after so many refusals. */
  const orderOf = (refusalsPerMinute: number): Charge => ({
    subject: 'project:1',
    points: 1,
    windows: [{ name: 'minute', seconds: 60, limit: 1 }],
    ban: { key: 'a', refusalsPerMinute, seconds: 300, maxSeconds: 3600 },
  })

  async function outcomesOf(times: number, charge: Charge, by = limiter): Promise<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (let time = 0; time < times; time++) {
      const { outcome } = await by.charge(charge)
      counts[outcome] = (counts[outcome] ?? 0) + 1
    }
    return counts
  }

  async function scriptsRun(): Promise<number> {
    const found = /cmdstat_evalsha:calls=(\d+)/.exec(await watcher.info('commandstats'))
    return Number(found?.[1] ?? 0)
  }

  it('costs Redis a call now and then, and is told the same', async () => {
    const charge = orderOf(1_000_000)
    await limiter.charge(charge)
    const asked = await limiter.charge(charge)
    const before = await scriptsRun()

    const decisions = await Promise.all(Array.from({ length: 2000 }, () => limiter.charge(charge)))

    expect(new Set(decisions.map(decision => JSON.stringify(decision)))).toEqual(
      new Set([JSON.stringify(asked)]),
    )
    expect((await scriptsRun()) - before).toBeLessThan(20)
  })

  it('is banned by the same refusal as if each had been asked for', async () => {
    const charge = orderOf(400)

    expect(await outcomesOf(401, charge)).toEqual({ accepted: 1, limited: 400 })
    expect(await limiter.charge(charge)).toMatchObject({ outcome: 'banned', banBegins: true })
    expect(await scriptsRun()).toBeLessThan(200)
  })

  it('is banned by the same refusal also where another process gave the first ones', async () => {
    const charge = orderOf(400)

    expect(await outcomesOf(301, charge)).toEqual({ accepted: 1, limited: 300 })
    await pause(200)

    expect(await outcomesOf(100, charge, another)).toEqual({ limited: 100 })
    expect(await another.charge(charge)).toMatchObject({ outcome: 'banned', banBegins: true })
  })

  it('stays banned without Redis being asked each time, and is counted for no further ban', async () => {
    const charge = orderOf(2)
    await outcomesOf(4, charge)
    const before = await scriptsRun()

    expect(await outcomesOf(500, charge)).toEqual({ banned: 500 })

    expect((await scriptsRun()) - before).toBeLessThan(20)
    clock.advance(300_000)
    expect(await outcomesOf(3, charge)).toEqual({ accepted: 1, limited: 2 })
  })

  it('is let in as soon as the window ends, or its limit grows', async () => {
    const charge = orderOf(1_000_000)
    expect(await outcomesOf(50, charge)).toEqual({ accepted: 1, limited: 49 })

    const upgraded = { ...charge, windows: [{ name: 'minute', seconds: 60, limit: 5 }] }
    expect(await outcomesOf(1, upgraded)).toEqual({ accepted: 1 })
    clock.advance(60_000)
    expect(await outcomesOf(1, charge)).toEqual({ accepted: 1 })
  })

  it('is let in within a moment where the counts are gone, and leaves nothing behind', async () => {
    const charge = orderOf(1_000_000)
    expect(await outcomesOf(50, charge)).toEqual({ accepted: 1, limited: 49 })

    await watcher.flushall()

    await expect.poll(async () => (await limiter.charge(charge)).outcome, { timeout: 500 }).toBe('accepted')
    await pause(200)
    for (const key of await watcher.keys('*')) expect(await watcher.ttl(key), key).toBeGreaterThan(0)
  })
})
