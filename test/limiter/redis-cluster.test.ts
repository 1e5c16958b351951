import { Redis } from 'ioredis'
import { expect, it, onTestFinished } from 'vitest'
import { openGathering, openRedis } from '../../src/limiter/redis.ts'
import { openLog } from '../../src/tools/log.ts'
import { findProgram } from '../support/programs.ts'
import { startRedisCluster } from '../support/redis-cluster.ts'

/** A start waits a second for Redis, which may be too little on a loaded machine. */
async function untilReady<Client extends { status: string; disconnect(): void }>(
  open: () => Promise<Client>,
) {
  for (;;) {
    const client = await open()
    onTestFinished(() => client.disconnect())
    if (client.status === 'ready') return client
  }
}

it.runIf(findProgram('redis-server'))(
  'each node of a cluster is shown the user and the password, and answers from the first command on',
  async () => {
    const cluster = await startRedisCluster()
    onTestFinished(() => cluster.stop())
    for (const { url } of cluster.nodes) {
      const admin = new Redis(url)
      await admin.acl('SETUSER', 'shop', 'on', '>p@ss', '~*', '+@all')
      await admin.acl('SETUSER', 'default', 'off')
      admin.disconnect()
    }
    const url = cluster.url.replace('//', '//shop:p%40ss@')
    const setMany = (client: Awaited<ReturnType<typeof openRedis>>) =>
      Promise.all(Array.from({ length: 60 }, (_, n) => client.set(`key ${n}`, '')))

    const redis = await untilReady(() => openRedis(url, openLog('silent')))
    expect(new Set(await setMany(redis))).toEqual(new Set(['OK']))

    const gathering = await untilReady(() => openGathering(redis))
    expect(new Set(await setMany(gathering))).toEqual(new Set(['OK']))
  },
)
