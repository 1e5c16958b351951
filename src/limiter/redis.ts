import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { Logger } from '../tools/log.ts'
import { StartRefused } from '../tools/start-refused.ts'
import { readTrustedRoots } from '../tools/trusted-roots.ts'
import { type RedisAddress, readRedisAddress } from './redis-address.ts'

/** If Redis is lost, commands fail at once instead of waiting, so that the limiter counts in memory. */
const impatient = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 500,
  // A silent connection is replaced after this time; the limiter's own timeout is much shorter.
  socketTimeout: 2000,
} satisfies RedisOptions

const reconnectDelayMs = (attempt: number) => Math.min(150 + 50 * attempt, 300)

/**
 * Connects to Redis, and waits for it only briefly. `caFile` contains the authorities to trust instead of the usual
 * ones.
 */
export async function openRedis(
  url: string,
  log: Logger,
  caFile: string | null = null,
  readAgain: () => string | null = () => null,
): Promise<Redis | Cluster> {
  const address = readRedisAddress(url)
  if (!address) throw new StartRefused('REDIS_URL cannot be read.')
  const tls = address.isSecure
    ? { tls: caFile === null ? {} : { ca: readTrustedRoots('REDIS_CA_FILE', caFile) } }
    : {}
  const redis = openers[address.kind](address, tls)
  logOutages(redis, log)
  if (redis instanceof Cluster) redis.on('+node', (node: Redis) => warnOfEviction(node, log))
  else warnOfEviction(redis, log)
  closeWithoutDatabase(redis)
  renewAfterRefusals(redis, readAgain)
  await waitFor(redis)
  return redis
}

async function waitFor(redis: Redis | Cluster): Promise<void> {
  await readyWithin(redis, 1000)
  // A cluster is ready before its nodes are, and would refuse commands in between.
  if (redis instanceof Cluster) await Promise.allSettled(redis.nodes('master').map(node => node.ping()))
}

/** Closes a connection if Redis does not have the database of the URL. The library would use database 0 instead. */
function closeWithoutDatabase(redis: Redis | Cluster): void {
  redis.on('error', (error: Error & { command?: { name: string } }) => {
    if (error.command?.name === 'select') redis.disconnect(true)
  })
}

function renewAfterRefusals(redis: Redis | Cluster, readAgain: () => string | null): void {
  const renew = ({ message }: Error) => {
    if (!/WRONGPASS|NOAUTH|invalid username-password/.test(message)) return
    try {
      setCredentials(redis, readAgain())
    } catch {
      // The next refusal reads the file again.
    }
  }
  redis.on('error', renew)
  if (redis instanceof Cluster) redis.on('node error', renew)
}

/** Makes new connections use the user and password of this address. Returns false if they have not changed. */
export function setCredentials(redis: Redis | Cluster, url: string | null): boolean {
  const address = readRedisAddress(url ?? '')
  if (!address) return false
  const credentials = credentialsOf(address)
  const before = credentialsOf(redis instanceof Redis ? redis.options : (redis.options.redisOptions ?? {}))
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

type Credentials = { username?: string | null; password?: string | null }

/** A missing user or password is undefined, so that it replaces an earlier one. */
function credentialsOf({ username, password }: Credentials): Pick<RedisOptions, keyof Credentials> {
  return { username: username ?? undefined, password: password ?? undefined }
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
 * Finds the master through the sentinels at each connection, and closes connections to a master that was replaced by
 * another master. Does not use the library's own failover events: if a failover event arrived while the client
 * connects, the client would end for good.
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
    // Few redirections with short delays: a command can follow a slot that has moved to another node, but does not wait
    // for a dead node.
    maxRedirections: 4,
    retryDelayOnFailover: 5,
    retryDelayOnClusterDown: 5,
    // A node's certificate contains its name, so do not resolve names to addresses.
    ...(address.isSecure && { dnsLookup: (name, found) => found(null, name) }),
    redisOptions: { ...impatient, ...credentialsOf(address), ...tls },
  })
  return connectToAll(cluster)
}

function connectToAll(cluster: Cluster): Cluster {
  cluster.on('+node', (node: Redis) => {
    // Without a listener the library prints each failed attempt to connect to the node. The error of the whole cluster
    // is logged once.
    node.on('error', () => {})
    // Connect now: otherwise the library connects at the first command, and refuses the second while it connects.
    if (node.status === 'wait') node.connect().catch(() => {})
  })
  return cluster
}

/** Logs one line when an outage begins and one when it ends, however many attempts to connect fail. */
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

/** Warns at each connection, because the settings of Redis may change while it is away. */
function warnOfEviction(node: Redis, log: Logger): void {
  node.on('ready', async () => {
    const memory = await node.info('memory').catch(() => '')
    const [, policy = ''] = /^maxmemory_policy:(\S+)/m.exec(memory) ?? []
    if (/^maxmemory:0\b/m.test(memory) || ['', 'noeviction'].includes(policy)) return
    log.warn(
      { policy },
      'Redis may evict counts when its memory is full, and limits then admit too many requests; set maxmemory-policy to noeviction',
    )
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
