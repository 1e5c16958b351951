import type { Cluster, Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Charge } from '../../src/limiter/charge.ts'
import { Limiter } from '../../src/limiter/limiter.ts'
import { openRedis } from '../../src/limiter/redis.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { openLog } from '../../src/tools/log.ts'
import { consume } from '../support/limiters.ts'
import { findProgram } from '../support/programs.ts'
import { startRedisCluster } from '../support/redis-cluster.ts'
import { type Service, startRedis } from '../support/services.ts'

const log = openLog('silent')
const charge: Charge = {
  subject: 'project:1',
  points: 1,
  windows: [{ name: 'minute', seconds: 60, limit: 1e9 }],
}
// A long timeout: a busy machine may delay Redis, and a charge would then be counted in memory.
const timeoutMs = 10_000
const versionBy = async (limiter: Limiter) => (await consume(limiter, charge)).version

describe.runIf(findProgram('redis-server'))("a subject's version in a Redis cluster", () => {
  it('the limiter renews the version of a subject in a Redis cluster, whichever node holds the subject', async ({
    onTestFinished,
  }) => {
    const cluster = await startRedisCluster()
    onTestFinished(() => cluster.stop())
    const redis = await openRedis(cluster.url, log)
    onTestFinished(() => redis.disconnect())
    const limiter = new Limiter({ redis, clock: systemClock, log, timeoutMs })
    onTestFinished(() => limiter.close())
    const charges = [1, 2, 3, 4, 5].map(id => ({ ...charge, subject: `project:${id}` }))
    const versions = () => Promise.all(charges.map(async charge => (await consume(limiter, charge)).version))
    const before = await versions()

    const renewed = await Promise.all(charges.map(({ subject }) => limiter.renewVersion(subject)))

    expect(renewed).toEqual(charges.map(() => true))
    for (const version of await versions()) expect(before).not.toContain(version)
  })
})

describe.runIf(findProgram('redis-server'))("a subject's version in Redis", () => {
  let service: Service
  let processes: { limiter: Limiter; redis: Redis | Cluster }[]
  let reader: Limiter
  let writer: Limiter

  beforeEach(async () => {
    service = await startRedis()
    processes = await Promise.all(
      [1, 2, 3].map(async () => {
        const redis = await openRedis(service.url, log)
        return { redis, limiter: new Limiter({ redis, clock: systemClock, log, timeoutMs }) }
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
  })

  /** Lets the reader and the writer wait for Redis no longer than a service does. */
  function waitAsUsual(): void {
    const [first, second] = processes.map(({ redis }) => new Limiter({ redis, clock: systemClock, log }))
    if (!first || !second) throw new Error('no processes')
    reader = first
    writer = second
    for (const limiter of [reader, writer]) onTestFinished(() => limiter.close())
  }

  it('a subject’s version is equal in all processes until a process renews the version', async () => {
    const versions = await Promise.all(processes.map(({ limiter }) => versionBy(limiter)))
    const isRenewed = await writer.renewVersion(charge.subject)
    const renewed = await versionBy(reader)

    expect(new Set(versions).size).toBe(1)
    expect(isRenewed).toBe(true)
    expect(renewed).toEqual(expect.any(String))
    expect(renewed).not.toBe(versions[0])
  })

  it('each renewed version of a subject differs from all earlier versions of the subject, whichever process renews it', async () => {
    const seen = [await versionBy(reader)]

    for (const { limiter } of [...processes].reverse()) {
      expect(await limiter.renewVersion(charge.subject)).toBe(true)
      seen.push(await versionBy(limiter))
    }
    await writer.renewVersion(charge.subject)
    const another = new Limiter({ redis: processes[0]?.redis ?? null, clock: systemClock, log, timeoutMs })
    seen.push(await versionBy(another))
    another.close()

    expect(new Set(seen).size).toBe(5)
    expect(seen).not.toContain(null)
  })

  it('a process cut off from Redis cannot renew a version, and gets false at once', async () => {
    waitAsUsual()
    await versionBy(reader)
    processes[1]?.redis.disconnect()

    // Try once before the process has noticed the outage, and once after.
    expect(await writer.renewVersion(charge.subject)).toBe(false)
    await expect.poll(() => writer.isExact()).toBe(false)
    expect(await writer.renewVersion(charge.subject)).toBe(false)
  })

  it('while Redis hangs, a decision has no version, and renewing a version returns false within a second', async () => {
    waitAsUsual()
    await expect.poll(() => versionBy(reader)).toEqual(expect.any(String))
    service.pause()

    const began = performance.now()
    const isRenewed = await writer.renewVersion(charge.subject)
    const waited = performance.now() - began
    const during = await versionBy(reader)
    service.resume()

    expect(isRenewed).toBe(false)
    // A writer waits 150 ms for Redis. One second leaves enough room for a busy machine.
    expect(waited).toBeLessThan(1_000)
    expect(during).toBeNull()
    await expect.poll(() => versionBy(reader)).toEqual(expect.any(String))
  })

  it('a subject’s version changes after Redis lost all its data', async () => {
    const before = await versionBy(reader)

    await processes[2]?.redis.flushall()

    expect(await versionBy(reader)).not.toBe(before)
  })
})
