import { Redis } from 'ioredis'
import { freePort } from './programs.ts'
import { type Service, startRedis } from './services.ts'

const SLOTS = 16384

const MASTERS = 3

/**
 * Starts three masters that share all slots and, optionally, a replica of each, listed after them in the same order.
 * The URL names all nodes.
 */
export async function startRedisCluster({ replicas = false } = {}): Promise<{
  url: string
  nodes: Service[]
  stop(): Promise<void>
}> {
  const busPorts = []
  for (let i = 0; i < MASTERS * (replicas ? 2 : 1); i++) busPorts.push(await freePort())
  const nodes = await Promise.all(busPorts.map(startNode))
  const clients = nodes.map(node => new Redis(node.url))
  try {
    for (const [index, client] of clients.slice(0, MASTERS).entries()) {
      const first = Math.ceil((index * SLOTS) / MASTERS)
      const last = Math.ceil(((index + 1) * SLOTS) / MASTERS) - 1
      await client.call('CLUSTER', 'ADDSLOTSRANGE', first, last)
    }
    for (const [index, node] of nodes.entries())
      await clients[0]?.call('CLUSTER', 'MEET', '127.0.0.1', node.port, busPorts[index] ?? 0)
    for (const [index, client] of clients.entries()) {
      if (index >= MASTERS) await follow(client, String(await clients[index - MASTERS]?.cluster('MYID')))
    }
    for (const client of clients) await untilWhole(client)
  } finally {
    for (const client of clients) client.disconnect()
  }
  return {
    nodes,
    url: nodes.map(node => node.url).join(','),
    async stop() {
      await Promise.all(nodes.map(node => node.stop()))
    },
  }
}

/**
 * Starts a master of all slots and its replica. A test can cut the replica off, so that it misses the last writes and
 * then takes over.
 */
export async function startRedisPair() {
  const busPorts = [await freePort(), await freePort()]
  const nodes = await Promise.all(busPorts.map(startNode))
  const [master, replica] = nodes.map(node => new Redis(node.url))
  if (!master || !replica) throw new Error('There are not two nodes.')
  await master.call('CLUSTER', 'ADDSLOTSRANGE', 0, SLOTS - 1)
  await replica.call('CLUSTER', 'MEET', '127.0.0.1', nodes[0]?.port ?? 0, busPorts[0] ?? 0)
  await follow(replica, String(await master.cluster('MYID')))
  await untilWhole(master)
  return {
    url: nodes.map(node => node.url).join(','),
    /** Gives the replica a password that the master does not accept, so that the replica cannot reconnect. */
    async cutOffReplica() {
      await master.wait(1, 1000)
      await replica.config('SET', 'masterauth', 'unwanted')
      await master.call('CLIENT', 'KILL', 'TYPE', 'replica')
      await until(async () => !(await isLinked(replica)))
    },
    async takeOver() {
      await replica.cluster('FAILOVER', 'TAKEOVER')
      await until(async () => String(await replica.call('ROLE')).startsWith('master'))
    },
    async stop() {
      master.disconnect()
      replica.disconnect()
      await Promise.all(nodes.map(node => node.stop()))
    },
  }
}

async function follow(replica: Redis, master: string): Promise<void> {
  await until(async () => String(await replica.cluster('NODES')).includes(`${master} 127`))
  await until(async () => (await replica.call('CLUSTER', 'REPLICATE', master).catch(() => '')) === 'OK')
  await until(() => isLinked(replica))
}

const isLinked = async (replica: Redis) =>
  (await replica.info('replication')).includes('master_link_status:up')

function startNode(busPort: number): Promise<Service> {
  const timeout = ['--cluster-node-timeout', '2000']
  return startRedis({ args: ['--cluster-enabled', 'yes', '--cluster-port', `${busPort}`, ...timeout] })
}

async function untilWhole(client: Redis): Promise<void> {
  await until(async () => {
    const info = String(await client.cluster('INFO'))
    return info.includes('cluster_state:ok') && info.includes(`cluster_slots_ok:${SLOTS}`)
  })
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const giveUpAt = Date.now() + 20_000; Date.now() < giveUpAt; ) {
    if (await holds()) return
    await new Promise(resolve => setTimeout(resolve, 25))
  }
  throw new Error('The cluster did not come together.')
}
