import { describe, expect, it } from 'vitest'
import { openRedis } from '../../src/limiter/redis.ts'
import { type RedisAddress, readRedisAddress } from '../../src/limiter/redis-address.ts'
import { openLog } from '../../src/tools/log.ts'
import { StartRefused } from '../../src/tools/start-refused.ts'

const node = (host: string, port: number) => ({ host, port })
const nothingElse: RedisAddress = {
  ...{ kind: 'single', nodes: [], path: null, isSecure: false, username: null, password: null, db: 0 },
  ...{ name: '', sentinelUsername: null, sentinelPassword: null },
}

describe('REDIS_URL', () => {
  it.each<[string, Partial<RedisAddress>]>([
    ['redis://a', { nodes: [node('a', 6379)] }],
    ['REDIS://A:7000', { nodes: [node('A', 7000)] }],
    [
      'rediss://u%3A:p%40@a:7000/3',
      { nodes: [node('a', 7000)], username: 'u:', password: 'p@', db: 3, isSecure: true },
    ],
    ['redis://u@a', { nodes: [node('a', 6379)], username: 'u' }],
    ['redis://:p:q@[::1]:7000', { nodes: [node('::1', 7000)], password: 'p:q' }],
    ['redis://[::1]', { nodes: [node('::1', 6379)] }],
    ['redis://:p@a:1, redis://b:2', { kind: 'cluster', nodes: [node('a', 1), node('b', 2)], password: 'p' }],
    [
      'rediss://u:p@a:1,rediss://b,redis://c:3',
      {
        ...{ kind: 'cluster', nodes: [node('a', 1), node('b', 6379), node('c', 3)] },
        ...{ isSecure: true, username: 'u', password: 'p' },
      },
    ],
    [
      'redis+sentinel://a,b:1/main/2?sentinel_username=v&sentinel_password=s',
      {
        ...{ kind: 'sentinel', nodes: [node('a', 26379), node('b', 1)], name: 'main', db: 2 },
        ...{ sentinelUsername: 'v', sentinelPassword: 's' },
      },
    ],
    [
      'rediss+sentinel://u:p@a/my%20main',
      {
        ...{ kind: 'sentinel', nodes: [node('a', 26379)], name: 'my main' },
        ...{ isSecure: true, username: 'u', password: 'p' },
      },
    ],
    ['redis-sentinel://a:1/2#main', { kind: 'sentinel', nodes: [node('a', 1)], name: 'main', db: 2 }],
    ['redis-sentinel://a:1#main', { kind: 'sentinel', nodes: [node('a', 1)], name: 'main' }],
    ['unix:///run/redis.sock?db=4', { path: '/run/redis.sock', db: 4 }],
    ['redis+unix://u:p@/run/my%20redis.sock', { path: '/run/my redis.sock', username: 'u', password: 'p' }],
  ])('REDIS_URL accepts %s', (url, address) => {
    expect(readRedisAddress(url)).toEqual({ ...nothingElse, ...address })
  })

  it.each([
    'a:6379',
    'http://a',
    'redis://',
    'redis://a,b',
    'redis://a:543210',
    'redis://a:65536',
    'redis://a:0',
    'redis+sentinel://a:65536/main',
    'redis://[::1',
    'redis://a/x',
    'redis+sentinel://a,b',
    'redis+sentinel://a/main/x',
    'redis+sentinel://a/main,redis://b',
    'redis://a,redis+sentinel://b/main',
    'redis://a,redis://b/x',
    'redis://:p%@a',
    'redis://u%ff:p@a',
    'redis+sentinel://a/%',
    'unix:///run/%.sock',
    'unix://a',
    'unix://a/run/redis.sock',
    'unix:///',
    'unix:///run/redis.sock?db=x',
    'unix:///run/redis.sock,redis://a',
    'redis://a,unix:///b',
  ])('the service refuses to start if REDIS_URL is %s', async url => {
    expect(readRedisAddress(url)).toBeNull()
    await expect(openRedis(url, openLog('silent'))).rejects.toThrow(
      new StartRefused('REDIS_URL cannot be read.'),
    )
  })
})
