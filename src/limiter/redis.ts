import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { Logger } from '../tools/log.ts'

/** No command waits in a line for a lost Redis: it fails at once, and the limiter counts in memory. */
const impatient = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 500,
  // A silent connection is given up for a new one; the limiter's own patience ends far sooner.
  socketTimeout: 2000,
} satisfies RedisOptions

const reconnectDelayMs = (attempt: number) => Math.min(150 + 50 * attempt, 300)

/** `redis://` or `rediss://`; several nodes, comma-separated, are one cluster. Waits a moment for it, and not longer. */
export async function openRedis(url: string, log: Logger): Promise<Redis | Cluster> {
  const [first = url, ...others] = url.split(',').map(node => node.trim())
  const redis = others.length > 0 ? openCluster(first, others) : openSingle(first)
  logOutages(redis, log)
  await readyWithin(redis, 1000)
  // A cluster is ready before its nodes are, and would refuse what comes in between.
  if (redis instanceof Cluster) await Promise.allSettled(redis.nodes('master').map(node => node.ping()))
  return redis
}

function openSingle(url: string): Redis {
  return new Redis(url, { ...impatient, retryStrategy: reconnectDelayMs })
}

/** User, password and TLS are the first node's, for all. */
function openCluster(first: string, others: string[]): Cluster {
  const { protocol, username, password } = new URL(first)
  const nodes = [first, ...others].map(node => new URL(node.includes('://') ? node : `${protocol}//${node}`))
  const cluster = new Cluster(
    nodes.map(({ hostname, port }) => ({ host: hostname, port: Number(port || 6379) })),
    {
      enableOfflineQueue: false,
      clusterRetryStrategy: reconnectDelayMs,
      clusterNodeRetryStrategy: reconnectDelayMs,
      // Enough to follow a slot that moved, and not to wait for a node that died.
      maxRedirections: 4,
      retryDelayOnFailover: 5,
      retryDelayOnClusterDown: 5,
      // A node's certificate bears its name, so names are not turned into addresses.
      ...(protocol === 'rediss:' && { dnsLookup: (name, found) => found(null, name) }),
      redisOptions: {
        ...impatient,
        ...(username && { username: decodeURIComponent(username) }),
        ...(password && { password: decodeURIComponent(password) }),
        ...(protocol === 'rediss:' && { tls: {} }),
      },
    },
  )
  cluster.on('+node', (node: Redis) => {
    // The library would wait for the first command, and refuse the second while it connects.
    if (node.status === 'wait') node.connect().catch(() => {})
  })
  return cluster
}

/** An outage is two lines, whatever the number of attempts in between. */
function logOutages(redis: Redis | Cluster, log: Logger): void {
  let out = false
  redis.on('error', (error: Error) => {
    if (!out) log.warn({ error }, 'Redis is out of reach')
    out = true
  })
  redis.on('ready', () => {
    if (out) log.info('Redis is in reach again')
    out = false
  })
}

function readyWithin(redis: Redis | Cluster, ms: number): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    redis.once('ready', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
