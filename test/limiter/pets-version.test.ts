import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster, Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Changes, openChanges } from '../../src/database/changes.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { type Charge, type Limiter, openLimiter } from '../../src/limiter/limiter.ts'
import { openRedis } from '../../src/limiter/redis.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { openLog } from '../../src/tools/log.ts'
import { freshDatabase } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'
import { randomOf } from '../support/random.ts'
import { startRedisCluster } from '../support/redis-cluster.ts'
import { type Service, startRedis } from '../support/services.ts'

const log = openLog('silent')
const charge: Charge = {
  subject: 'project:1',
  points: 1,
  windows: [{ name: 'minute', seconds: 60, limit: 1e9 }],
}
const versionBy = async (limiter: Limiter | undefined) => (await limiter?.charge(charge))?.petsVersion

describe('the pets version of a process without Redis', () => {
  it('stays until it is renewed', async () => {
    const limiter = openLimiter({ redis: null, clock: systemClock, log })

    const versions = [await versionBy(limiter), await versionBy(limiter)]
    await limiter.renewPetsVersion(charge.subject)

    expect(versions[0]).toEqual(expect.any(String))
    expect(versions[1]).toBe(versions[0])
    expect(await versionBy(limiter)).not.toBe(versions[0])
  })
})

describe.runIf(findProgram('redis-server'))('the pets version in a Redis cluster', () => {
  it('is changed there, on whichever node it lies, so that no writer has to wait', async ({
    onTestFinished,
  }) => {
    const cluster = await startRedisCluster()
    onTestFinished(() => cluster.stop())
    const redis = await openRedis(cluster.url, log)
    onTestFinished(() => redis.disconnect())
    const fresh = await freshDatabase()
    onTestFinished(() => fresh.remove())
    const database = await openDatabase({
      databaseUrl: fresh.env.DATABASE_URL ?? null,
      dataDir: fresh.env.DATA_DIR ?? '',
    })
    onTestFinished(() => database.close())
    const changes = openChanges(database)
    await changes.look()
    const limiter = openLimiter({ redis, clock: systemClock, log, changes })
    onTestFinished(() => limiter.close())
    const charges = [1, 2, 3, 4, 5].map(id => ({ ...charge, subject: `project:${id}` }))
    for (const charge of charges) await limiter.charge(charge)

    for (const { subject } of charges) await limiter.renewPetsVersion(subject, 7n)

    const versions = await Promise.all(charges.map(charge => limiter.charge(charge)))
    for (const { petsVersion } of versions) expect(petsVersion).toMatch(/:1:7$/)
  })
})

describe.runIf(findProgram('redis-server'))('the pets version in Redis', () => {
  let service: Service
  let database: Database
  let remove: () => Promise<void>
  let changes: Changes[]
  let processes: { limiter: Limiter; redis: Redis | Cluster }[]
  let reader: Limiter
  let writer: Limiter

  beforeEach(async () => {
    service = await startRedis()
    const fresh = await freshDatabase()
    remove = fresh.remove
    database = await openDatabase({
      databaseUrl: fresh.env.DATABASE_URL ?? null,
      dataDir: fresh.env.DATA_DIR ?? '',
    })
    await database.ping()
    changes = [1, 2, 3].map(() => openChanges(database))
    for (const one of changes) await one.look()
    processes = await Promise.all(
      changes.map(async changes => {
        const redis = await openRedis(service.url, log)
        return { redis, limiter: openLimiter({ redis, clock: systemClock, log, changes }) }
      }),
    )
    const [first, second] = processes
    if (!first || !second) throw new Error('no processes')
    reader = first.limiter
    writer = second.limiter
  })
  afterEach(async () => {
    for (const { limiter, redis } of processes) {
      limiter.close()
      redis.disconnect()
    }
    await service.stop()
    await database.close()
    await remove()
  })

  it('is the same for all processes until one of them renews it', async () => {
    const versions = await Promise.all(processes.map(({ limiter }) => versionBy(limiter)))
    await writer.renewPetsVersion(charge.subject)
    const renewed = await versionBy(reader)

    expect(new Set(versions).size).toBe(1)
    expect(renewed).toEqual(expect.any(String))
    expect(renewed).not.toBe(versions[0])
  })

  it('tells how many pets came in, and the least of their ids to the last digit', async () => {
    await versionBy(reader)
    await writer.renewPetsVersion(charge.subject, 9007199254740993n)
    expect(await versionBy(reader)).toMatch(/:1:9007199254740993$/)

    await Promise.all(
      [9007199254740992n, 10_000_000_000_000_000n].map(id => writer.renewPetsVersion(charge.subject, id)),
    )
    expect(await versionBy(reader)).toMatch(/:3:9007199254740992$/)
  })

  it('begins a new era after 256 pets', async () => {
    const before = await versionBy(reader)
    for (let id = 1; id <= 256; id++) await writer.renewPetsVersion(charge.subject, BigInt(id))

    const after = await versionBy(reader)
    expect(after).toMatch(/:0:$/)
    expect(after).not.toBe(before)
  })

  it('changes while a writer that is cut off from Redis waits with its answer, though not for long', async () => {
    const before = await versionBy(reader)
    processes[1]?.redis.disconnect()

    const began = performance.now()
    await writer.renewPetsVersion(charge.subject)

    expect(performance.now() - began).toBeLessThan(250)
    expect(await versionBy(reader)).not.toBe(before)
  })

  it('is unknown while Redis hangs, and another one afterwards', async () => {
    const before = await versionBy(reader)
    service.pause()

    const began = performance.now()
    await writer.renewPetsVersion(charge.subject)
    const waited = performance.now() - began
    const during = await versionBy(reader)
    service.resume()

    expect(waited).toBeLessThan(250)
    expect(during).toBeNull()
    await expect.poll(() => versionBy(reader)).toEqual(expect.any(String))
    expect(await versionBy(reader)).not.toBe(before)
  })

  it('is another one after Redis lost everything', async () => {
    const before = await versionBy(reader)

    await processes[2]?.redis.flushall()

    expect(await versionBy(reader)).not.toBe(before)
  })

  it('is another one after Redis came back with an older state', async () => {
    const before = await versionBy(reader)
    await processes[2]?.redis.save()
    await writer.renewPetsVersion(charge.subject)

    await service.kill9()
    await service.restart()

    await expect.poll(() => versionBy(reader)).toEqual(expect.any(String))
    expect(await versionBy(reader)).not.toBe(before)
  })

  it('never lets an old page out, while Redis is flushed, hung, cut off and killed back to an older state', async () => {
    let stopped = false
    let stored = 0
    let acknowledged = 0
    const stale: string[] = []
    const seen = { cached: 0, read: 0 }

    async function read(limiter: Limiter) {
      const pages = new Map<string, number>()
      while (!stopped) {
        const atLeast = acknowledged
        const version = await versionBy(limiter)
        let page = version ? pages.get(version) : undefined
        if (page === undefined) {
          await delay(1)
          page = stored
          if (version) pages.set(version, page)
          seen.read++
        } else seen.cached++
        if (page < atLeast) stale.push(`${page} after ${atLeast}`)
        await delay(1)
      }
    }
    async function write(limiter: Limiter) {
      while (!stopped) {
        const value = ++stored
        await limiter.renewPetsVersion(charge.subject)
        acknowledged = Math.max(acknowledged, value)
        await delay(20)
      }
    }
    const clients = processes.flatMap(({ limiter }) => [read(limiter), read(limiter), write(limiter)])

    const { oneOf } = randomOf(7)
    const faults = {
      flush: () => processes[0]?.redis.flushall().catch(() => {}),
      async hang() {
        service.pause()
        await delay(oneOf([50, 150, 400]))
        service.resume()
      },
      cutOff: () => oneOf(processes).redis.disconnect(true),
      async killBack() {
        await processes[0]?.redis.save().catch(() => {})
        await delay(oneOf([5, 50]))
        await service.kill9()
        await service.restart()
      },
    }
    for (let round = 0; round < 3; round++)
      for (const fault of Object.values(faults)) {
        await fault()
        await delay(oneOf([20, 300]))
      }
    stopped = true
    await Promise.all(clients)

    expect(stale).toEqual([])
    expect(seen.cached).toBeGreaterThan(20)
  })
})
