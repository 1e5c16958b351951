import { Redis } from 'ioredis'
import { startRedisCluster } from '../support/redis-cluster.ts'
import { startSentinels } from '../support/redis-sentinel.ts'
import { type Service, startRedis } from '../support/services.ts'

/** The Redis in which all processes count: a single one, a cluster of six, or a master and replica with Sentinels. */
export type SharedLimits = {
  kind: 'single' | 'cluster' | 'sentinel'
  url: string
  /**
   * In a cluster, the first three nodes are masters and the others their replicas, in the same order. With Sentinels,
   * the list has only the master.
   */
  nodes: Service[]
  /** Sends a command to a node, as an administrator. */
  run(node: Service, ...command: string[]): Promise<unknown>
  stop(): Promise<void>
}

export async function openLimits(kind: SharedLimits['kind']): Promise<SharedLimits> {
  const { url, nodes, stop } = await openers[kind]()
  return { kind, url, nodes, run, stop }
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

async function run(node: Service, ...[name = '', ...args]: string[]): Promise<unknown> {
  const redis = new Redis(node.url, { lazyConnect: true, retryStrategy: null })
  redis.on('error', () => {})
  await redis.connect()
  try {
    return await redis.call(name, ...args)
  } finally {
    redis.disconnect()
  }
}
