import { hash } from 'node:crypto'
import { Redis } from 'ioredis'
import { expect, it, onTestFinished } from 'vitest'
import { openPersistedQueries } from '../../src/graphql/persisted-queries.ts'
import { Limiter, type Store } from '../../src/limiter/limiter.ts'
import { openPlaces } from '../../src/limiter/places.ts'
import { openRedis } from '../../src/limiter/redis.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { openLog } from '../../src/tools/log.ts'
import { inlineCommandsOf } from '../support/documents.ts'
import { consume } from '../support/limiters.ts'
import { findProgram } from '../support/programs.ts'
import { startRedisCluster } from '../support/redis-cluster.ts'
import { startRedis } from '../support/services.ts'

const [command = ''] = inlineCommandsOf('docs/operating.md', 'ACL')
const [, ...words] = command.split(/\s+/)

async function startOne() {
  const service = await startRedis()
  return { url: `${service.url}/2`, nodes: [service], stop: service.stop }
}

it.runIf(findProgram('redis-server')).each([
  ['a single Redis', startOne],
  ['a Cluster', startRedisCluster],
] as const)(
  'the rights that docs/operating.md names for the user of Redis suffice: %s',
  async (_which, start) => {
    const { url, nodes, stop } = await start()
    onTestFinished(stop)
    const admins = nodes.map(node => new Redis(node.url))
    onTestFinished(() => admins.forEach(admin => void admin.disconnect()))
    for (const admin of admins) await admin.call('ACL', words)
    const log = openLog('silent')
    const redis = await openRedis(url.replace('//', '//store:PASSWORD@'), log)
    const counted = new Set<Store>()
    // The timeout is long, because a busy machine may delay the answers of Redis.
    const count = (store: Store) => void counted.add(store)
    const limiter = new Limiter({ redis, clock: systemClock, log, timeoutMs: 10_000, count })
    const places = openPlaces(redis)
    onTestFinished(() => {
      limiter.close()
      places.close()
      redis.disconnect()
    })
    await expect.poll(() => redis.status, { timeout: 10_000 }).toBe('ready')

    const windows = [{ name: 'minute', seconds: 60, limit: 2 }]
    const ban = { key: 'k', refusalsPerMinute: 1, seconds: 60, maxSeconds: 600 }
    const outcomes: string[] = []
    for (let time = 0; time < 4; time++)
      outcomes.push((await consume(limiter, { subject: '1', points: 1, windows, ban })).outcome)
    await limiter.reward('1', 1, { windows })
    await limiter.set('1', 1, 60, { windows })
    await limiter.delete('1', { windows })
    await limiter.delete('1', { key: 'k' })
    await limiter.block('1', 60, { key: 'k' })
    await limiter.renewVersion('1')
    const giveBack = await places.take('1', 1)
    giveBack?.()
    const text = '{ pets { totalCount } }'
    const key = `apq:${hash('sha256', text)}`
    await openPersistedQueries(redis).set(key, text)

    expect(await openPersistedQueries(redis).get(key)).toBe(text)
    expect(outcomes).toEqual(['accepted', 'accepted', 'limited', 'banned'])
    expect([...counted]).toEqual(['redis'])
    const refused = (await Promise.all(admins.map(admin => admin.acl('LOG')))).flat().join('\n')
    // The library works without `client|setinfo`, which not every version of Redis has.
    expect(refused.split('\n').filter(line => line !== '' && !line.includes(',client|setinfo,'))).toEqual([])
  },
)
