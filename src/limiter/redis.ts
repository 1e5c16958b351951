import { readFileSync } from 'node:fs'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { Logger } from '../tools/log.ts'
import { StartRefused } from '../tools/start-refused.ts'
import { type RedisAddress, readRedisAddress } from './redis-address.ts'

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

/** Waits a moment for Redis, and not longer. `caFile` names the authorities to trust in place of the usual ones. */
export async function openRedis(
  url: string,
  log: Logger,
  caFile: string | null = null,
  readAgain: () => string | null = () => null,
): Promise<Redis | Cluster> {
  const address = readRedisAddress(url)
  if (!address) throw new StartRefused('REDIS_URL cannot be read.')
  const tls = address.isSecure ? { tls: caFile === null ? {} : { ca: readAuthorities(caFile) } } : {}
  const redis = openers[address.kind](address, tls)
  logOutages(redis, log)
  renewAfterRefusals(redis, readAgain)
  await waitFor(redis)
  return redis
}

async function waitFor(redis: Redis | Cluster): Promise<void> {
  await readyWithin(redis, 1000)
  // A cluster is ready before its nodes are, and would refuse what comes in between.
  if (redis instanceof Cluster) await Promise.allSettled(redis.nodes('master').map(node => node.ping()))
}

function renewAfterRefusals(redis: Redis | Cluster, readAgain: () => string | null): void {
  const renew = ({ message }: Error) => {
    if (/WRONGPASS|NOAUTH|invalid username-password/.test(message)) setCredentials(redis, readAgain())
  }
  redis.on('error', renew)
  if (redis instanceof Cluster) redis.on('node error', renew)
}

/** Each connection from now on sends the user and password of this address. Returns false if they are the same or none. */
export function setCredentials(redis: Redis | Cluster, url: string | null): boolean {
  const address = readRedisAddress(url ?? '')
  if (!address) return false
  const credentials = credentialsOf(address)
  const before = redis instanceof Redis ? redis.options : (redis.options.redisOptions ?? {})
  if (before.username === credentials.username && before.password === credentials.password) return false
  if (redis instanceof Redis) Object.assign(redis.options, credentials)
  else {
    redis.options.redisOptions = { ...redis.options.redisOptions, ...credentials }
    for (const node of redis.nodes()) Object.assign(node.options, credentials)
  }
  return true
}

type Tls = Pick<RedisOptions, 'tls'>

const openers = { single: openSingle, cluster: openCluster, sentinel: openByName }

function credentialsOf({ username, password }: RedisAddress): RedisOptions {
  return { ...(username !== null && { username }), ...(password !== null && { password }) }
}

function openSingle(address: RedisAddress, tls: Tls): Redis {
  const [node] = address.nodes
  return new Redis({
    ...impatient,
    ...(address.path === null ? node : { path: address.path }),
    ...credentialsOf(address),
    ...tls,
    db: address.db,
    retryStrategy: reconnectDelayMs,
  })
}

/**
 * Sentinels tell who the master is, at each connection, and end those of a master that another one follows. The library's
 * own way to hear of that is not used: news that come while it connects end the client for good.
 */
function openByName(address: RedisAddress, { tls }: Tls): Redis {
  const { nodes, name, db, sentinelUsername, sentinelPassword } = address
  return new Redis({
    ...impatient,
    ...credentialsOf(address),
    ...(tls && { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }),
    ...(sentinelUsername !== null && { sentinelUsername }),
    ...(sentinelPassword !== null && { sentinelPassword }),
    sentinels: nodes,
    name,
    db,
    retryStrategy: reconnectDelayMs,
    sentinelRetryStrategy: reconnectDelayMs,
    sentinelCommandTimeout: 500,
  })
}

function openCluster(address: RedisAddress, tls: Tls): Cluster {
  const cluster = new Cluster(address.nodes, {
    enableOfflineQueue: false,
    clusterRetryStrategy: reconnectDelayMs,
    clusterNodeRetryStrategy: reconnectDelayMs,
    // Enough to follow a slot that moved, and not to wait for a node that died.
    maxRedirections: 4,
    retryDelayOnFailover: 5,
    retryDelayOnClusterDown: 5,
    // A node's certificate bears its name, so names are not turned into addresses.
    ...(address.isSecure && { dnsLookup: (name, found) => found(null, name) }),
    redisOptions: { ...impatient, ...credentialsOf(address), ...tls },
  })
  return connectToAll(cluster)
}

function connectToAll(cluster: Cluster): Cluster {
  cluster.on('+node', (node: Redis) => {
    // Without a listener the library prints each failed attempt; the cluster's own error is logged once.
    node.on('error', () => {})
    // The library would wait for the first command, and refuse the second while it connects.
    if (node.status === 'wait') node.connect().catch(() => {})
  })
  return cluster
}

function readAuthorities(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new StartRefused(`REDIS_CA_FILE cannot be read: ${error instanceof Error ? error.message : error}.`)
  }
}

/** An outage is two lines, whatever the number of attempts in between. */
function logOutages(redis: Redis | Cluster, log: Logger): void {
  let out = false
  redis.on('error', (error: Error) => {
    if (!out) log.warn({ reason: error.message }, 'Redis is out of reach')
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
