import { Redis } from 'ioredis'
import { freePort } from './programs.ts'
import { type Service, startRedis } from './services.ts'

const SLOTS = 16384

/** Three masters that share all slots; the URL names them all. */
export async function startRedisCluster(): Promise<{ url: string; nodes: Service[]; stop(): Promise<void> }> {
  const busPorts = [await freePort(), await freePort(), await freePort()]
  const nodes = await Promise.all(busPorts.map(startNode))
  const clients = nodes.map(node => new Redis(node.url))
  try {
    for (const [index, client] of clients.entries()) {
      const first = Math.ceil((index * SLOTS) / nodes.length)
      const last = Math.ceil(((index + 1) * SLOTS) / nodes.length) - 1
      await client.call('CLUSTER', 'ADDSLOTSRANGE', first, last)
    }
    for (const [index, node] of nodes.entries())
      await clients[0]?.call('CLUSTER', 'MEET', '127.0.0.1', node.port, busPorts[index] ?? 0)
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

function startNode(busPort: number): Promise<Service> {
  return startRedis({ args: ['--cluster-enabled', 'yes', '--cluster-port', `${busPort}`] })
}

async function untilWhole(client: Redis): Promise<void> {
  for (const giveUpAt = Date.now() + 20_000; Date.now() < giveUpAt; ) {
    const info = String(await client.cluster('INFO'))
    if (info.includes('cluster_state:ok') && info.includes(`cluster_slots_ok:${SLOTS}`)) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error('The cluster did not come together.')
}
