import type { Cluster, Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Charge } from '../../src/limiter/charge.ts'
import { Limiter, type Store } from '../../src/limiter/limiter.ts'
import { openRedis } from '../../src/limiter/redis.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { openLog } from '../../src/tools/log.ts'
import { freshRedis } from '../support/databases.ts'
import { consume } from '../support/limiters.ts'
import { findProgram } from '../support/programs.ts'

describe.runIf(findProgram('redis-server'))('a bug in the limiter', () => {
  const log = openLog('silent')
  /** The timeout is long, because a busy machine may delay the answers of Redis. Other tests cover a slow Redis. */
  const timeoutMs = 10_000
  const counted = new Set<Store>()
  let redis: Redis | Cluster
  let limiter: Limiter
  beforeAll(async () => {
    redis = await openRedis((await freshRedis()) ?? '', log)
    limiter = new Limiter({ redis, clock: systemClock, log, timeoutMs, count: store => counted.add(store) })
  })
  afterAll(() => {
    limiter.close()
    redis.disconnect()
  })

  const charge: Charge = { subject: '1', points: 1, windows: [{ name: 'minute', seconds: 60, limit: 3 }] }

  it.each([
    ['answers an empty list', 'return {}'],
    ['answers nonsense', `return { '1', 'accepted' }`],
    ['answers letters instead of numbers', `return { '1', '0 0 0 - x y' }`],
    ['omits a window', `return { '1', '0 0 0 -' }`],
    ['answers a number instead of a list', 'return 1'],
    ['fails', 'return nil + 1'],
    [
      'reads a key of the wrong type',
      `redis.call('SET', KEYS[1] .. 'x', 1) return redis.call('HGET', KEYS[1] .. 'x', 'y')`,
    ],
  ])(
    'a bug in the limiter’s Redis script is thrown as an error and is not treated as an outage of Redis: a script that %s',
    async (_what, lua) => {
      redis.defineCommand('decideCharges', { lua })

      for (let time = 0; time < 5; time++) await expect(consume(limiter, charge)).rejects.toThrow()

      expect([...counted]).toEqual([])
      expect(limiter.isExact()).toBe(true)
    },
  )

  it('an invalid charge throws, and a concurrent charge is decided as usual', async () => {
    const another = new Limiter({ redis, clock: systemClock, log, timeoutMs })
    const broken = { ...charge, windows: null } as never

    const [failed, decided] = await Promise.allSettled([consume(another, broken), consume(another, charge)])

    expect(failed).toMatchObject({ status: 'rejected', reason: expect.any(TypeError) })
    expect(decided).toMatchObject({ status: 'fulfilled', value: { outcome: 'accepted' } })
    another.close()
  })

  it.each([
    ...['CLUSTERDOWN', 'LOADING', 'READONLY', 'OOM', 'MISCONF', 'MASTERDOWN', 'NOREPLICAS', 'BUSY'],
    ...['TRYAGAIN', 'MOVED', 'ASK', 'NOAUTH', 'WRONGPASS', 'NOPERM', 'ERR max number of clients'],
    ...['ACL failure in script: User default has no permissions', 'The user executing the script cannot'],
    ...['ERR unknown command', 'Unknown Redis command called from script'],
  ])(
    'an error in which Redis reports its own state or refuses a command is not treated as a bug, in old and new wording: %s',
    async word => {
      for (const said of [
        `${word} as it is`,
        `ERR Error running script (call to f_1): @user_script:7: -${word} as it is`,
      ]) {
        counted.clear()
        const another = new Limiter({
          redis,
          clock: systemClock,
          log,
          timeoutMs,
          count: store => counted.add(store),
        })
        redis.defineCommand('decideCharges', { lua: `return redis.error_reply('${said}')` })

        expect(await consume(another, charge)).toMatchObject({ outcome: 'accepted', version: null })
        expect([...counted]).toEqual(['memory'])
        expect(another.isExact()).toBe(false)
        another.close()
      }
    },
  )

  it.each([
    'ERR wrong number of arguments',
    'WRONGTYPE Operation',
    'NOSCRIPT No matching script',
    'BOOM as it is',
  ])('an error reply of Redis that shows a bug of the limiter is thrown: %s', async said => {
    redis.defineCommand('decideCharges', { lua: `return redis.error_reply('${said}')` })

    await expect(consume(limiter, charge)).rejects.toThrow(said)
  })
})
