import { rmSync } from 'node:fs'
import { Redis } from 'ioredis'
import { expect, it, onTestFinished } from 'vitest'
import { openRedis } from '../../src/limiter/redis.ts'
import { openLog } from '../../src/tools/log.ts'
import { makeAuthority } from '../support/authority.ts'
import { findProgram, freePort } from '../support/programs.ts'
import { startRedisCluster } from '../support/redis-cluster.ts'
import { startRedis } from '../support/services.ts'

/**
 * `openRedis` waits at most about a second for Redis, and a busy machine may need longer. So this function calls
 * `openRedis` up to five times, until a client is ready.
 */
async function untilReady<Client extends { status: string; disconnect(): void }>(
  open: () => Promise<Client>,
) {
  for (let time = 0; time < 5; time++) {
    const client = await open()
    onTestFinished(() => client.disconnect())
    if (client.status === 'ready') return client
  }
  throw new Error('Redis let nobody in.')
}

it.runIf(findProgram('redis-server'))(
  'the client signs in at each node of a Redis cluster, and each node answers from the first command on',
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
  },
)

it.runIf(findProgram('redis-server') && findProgram('openssl'))(
  'the service connects to a node of a cluster by the host name in the node’s certificate',
  async () => {
    const authority = makeAuthority(undefined)
    onTestFinished(() => rmSync(authority.folder, { recursive: true }))
    const [port, busPort] = [await freePort(), await freePort()]
    const settings = {
      ...{ 'cluster-enabled': 'yes', 'cluster-port': busPort, 'cluster-preferred-endpoint-type': 'hostname' },
      ...{ 'cluster-announce-hostname': 'localhost', 'tls-port': port, 'tls-cluster': 'yes' },
      ...{ 'tls-cert-file': authority.certificate, 'tls-key-file': authority.key },
      ...{ 'tls-ca-cert-file': authority.ca, 'tls-auth-clients': 'no' },
    }
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
    const service = await startRedis({ args })
    onTestFinished(() => service.stop())
    const admin = new Redis(service.url)
    onTestFinished(() => admin.disconnect())
    await admin.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16383)
    await expect.poll(() => admin.cluster('INFO')).toContain('cluster_state:ok')
    const url = `rediss://localhost:${port},rediss://localhost:${port}`

    const redis = await untilReady(() => openRedis(url, openLog('silent'), authority.ca))

    expect(await redis.set('key', '')).toBe('OK')
  },
)
