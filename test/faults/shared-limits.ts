import { Redis } from 'ioredis'
import { startRedisCluster } from '../support/redis-cluster.ts'
import { startSentinels } from '../support/redis-sentinel.ts'
import { type Service, startRedis } from '../support/services.ts'

/** The Redis that all processes count in: one, six of a cluster, or one that Sentinels watch with its replica. */
export type SharedLimits = {
  kind: 'single' | 'cluster' | 'sentinel'
  url: string
  /**
   * The first three nodes of a cluster are masters, each with its replica three places later. Sentinels have one
   * master.
   */
  nodes: Service[]
  /** Tells one of them something, as whoever administers it. */
  tell(node: Service, ...command: string[]): Promise<unknown>
  stop(): Promise<void>
}

export async function openLimits(kind: SharedLimits['kind']): Promise<SharedLimits> {
  const { url, nodes, stop } = await openers[kind]()
  return { kind, url, nodes, tell, stop }
}

const openers = {
  async single() {
    const redis = await startRedis()
    return { url: redis.url, nodes: [redis], stop: () => redis.stop() }
  },
  cluster: () => startRedisCluster({ replicas: true }),
  async sentinel() {
    const { url, master, stop } = await startSentinels()
    return { url, nodes: [master], stop }
  },
}

async function tell(node: Service, ...[name = '', ...args]: string[]): Promise<unknown> {
  const redis = new Redis(node.url, { lazyConnect: true, retryStrategy: null })
  redis.on('error', () => {})
  await redis.connect()
  try {
    return await redis.call(name, ...args)
  } finally {
    redis.disconnect()
  }
}
