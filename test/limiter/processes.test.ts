import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Charge } from '../../src/limiter/charge.ts'
import { Limiter } from '../../src/limiter/limiter.ts'
import { openRedis } from '../../src/limiter/redis.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { openLog } from '../../src/tools/log.ts'
import { freshRedis } from '../support/databases.ts'
import { consume, peek } from '../support/limiters.ts'
import { findProgram } from '../support/programs.ts'
import { type Service, startRedis } from '../support/services.ts'

const script = fileURLToPath(new URL('../support/limiter-process.ts', import.meta.url))

describe.runIf(findProgram('redis-server'))('several processes on one Redis', () => {
  const children: ChildProcess[] = []

  beforeAll(async () => {
    const REDIS_URL = (await freshRedis()) ?? ''
    for (let count = 0; count < 2; count++)
      children.push(fork(script, { env: { ...process.env, REDIS_URL } }))
    await Promise.all(children.map(child => once(child, 'message')))
  })
  afterAll(() => {
    for (const child of children) child.kill()
  })

  it('exactly 60 of 200 concurrent requests pass over two processes, in each of 20 rounds', async () => {
    const passed: number[] = []

    for (let round = 0; round < 20; round++) {
      const windows = [
        { name: 'minute', seconds: 60, limit: 60 },
        { name: 'day', seconds: 86_400, limit: 1000 },
      ]
      const answers = children.map(child => once(child, 'message'))
      for (const child of children)
        child.send({ subject: `project:${round}`, points: 1, windows } satisfies Charge)
      const outcomes = (await Promise.all(answers)).flat(2)
      passed.push(outcomes.filter(outcome => outcome === 'accepted').length)
    }

    expect(passed).toEqual(Array(20).fill(60))
  })
})

it.runIf(findProgram('redis-server'))(
  'stores with a database of their own in one Redis have separate counts for a project with the same id',
  async () => {
    const log = openLog('silent')
    const charge = { subject: '1', points: 1, windows: [{ name: 'minute', seconds: 60, limit: 1 }] }
    const outcomes: string[] = []
    for (let store = 0; store < 2; store++) {
      const redis = await openRedis((await freshRedis()) ?? '', log)
      const limiter = new Limiter({ redis, clock: systemClock, log, timeoutMs: 10_000 })
      for (let time = 0; time < 2; time++) outcomes.push((await consume(limiter, charge)).outcome)
      expect(limiter.isExact()).toBe(true)
      limiter.close()
      redis.disconnect()
    }

    expect(outcomes).toEqual(['accepted', 'limited', 'accepted', 'limited'])
  },
)

describe.runIf(findProgram('redis-server'))('round trips', () => {
  let service: Service
  beforeAll(async () => {
    service = await startRedis()
  })
  afterAll(() => service.stop())

  it('a charge takes one round trip, whether accepted, refused, banned or beginning a ban', async () => {
    const log = openLog('silent')
    const redis = await openRedis(service.url, log)
    const times: number[] = []
    const time = (seconds: number) => times.push(seconds)
    const limiter = new Limiter({ redis, clock: systemClock, log, time, timeoutMs: 10_000 })
    const watcher = new Redis(service.url)
    const monitor = await watcher.monitor()
    const commands: string[] = []
    monitor.on('monitor', (_time, [command], source) => source === 'lua' || commands.push(command))
    const began = performance.now()

    const charge: Charge = {
      subject: 'project:1',
      points: 1,
      windows: [{ name: 'minute', seconds: 60, limit: 2 }],
      ban: { key: 'a', refusalsPerMinute: 2, seconds: 300, maxSeconds: 3600 },
    }
    const outcomes: string[] = []
    for (let count = 0; count < 6; count++) outcomes.push((await consume(limiter, charge)).outcome)
    await peek(limiter, charge)
    const tookSeconds = (performance.now() - began) / 1000
    await redis.echo('the end')
    await expect.poll(() => commands.at(-1)).toBe('echo')

    expect(outcomes).toEqual(['accepted', 'accepted', 'limited', 'limited', 'banned', 'banned'])
    expect(commands).toEqual(['eval', ...Array(6).fill('evalsha'), 'echo'])
    // Each time is in seconds, and their sum is at most the duration of the test.
    expect(times).toHaveLength(7)
    expect(times.reduce((sum, seconds) => sum + seconds, 0)).toBeLessThan(tookSeconds + 0.001)
    for (const seconds of times) expect(seconds).toBeGreaterThan(0)
    for (const client of [monitor, watcher, redis]) client.disconnect()
  })

  it('concurrent charges share one round trip to Redis, and each charge is decided separately', async () => {
    const log = openLog('silent')
    const redis = await openRedis(service.url, log)
    const limiter = new Limiter({ redis, clock: systemClock, log, timeoutMs: 10_000 })
    const chargeOf = (subject: string, points = 1): Charge => ({
      subject,
      points,
      windows: [{ name: 'minute', seconds: 60, limit: 2 }],
      ban: { key: 'a', refusalsPerMinute: 1, seconds: 300, maxSeconds: 3600 },
    })
    await consume(limiter, chargeOf('first'))
    const watcher = new Redis(service.url)
    const monitor = await watcher.monitor()
    const commands: string[] = []
    monitor.on('monitor', (_time, [command], source) => source === 'lua' || commands.push(command))

    const busy = ['busy', 'busy', 'busy', 'calm', 'busy'].map(subject => consume(limiter, chargeOf(subject)))
    const peeked = peek(limiter, { subject: 'calm', points: 1, windows: chargeOf('calm').windows })
    const outcomes = (await Promise.all(busy)).map(({ outcome }) => outcome)
    const { windows } = await peeked
    await redis.echo('the end')
    await expect.poll(() => commands.at(-1)).toBe('echo')

    expect(outcomes).toEqual(['accepted', 'accepted', 'limited', 'accepted', 'banned'])
    expect(windows).toMatchObject([{ remaining: 1 }])
    expect(commands).toEqual(['evalsha', 'echo'])
    for (const client of [monitor, watcher, redis]) client.disconnect()
  })
})
