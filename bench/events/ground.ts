import { issueApiKey } from '../../src/core/keys/api-keys.ts'
import { toProject } from '../../src/core/project.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { startHttpsReceiver } from '../../test/support/https-receiver.ts'
import { startServices } from '../ground.ts'
import { type Served, serve } from '../processes.ts'

export type Shop = { id: number; keys: string[] }
export type EventsGround = {
  served: Served
  receiver: Awaited<ReturnType<typeof startHttpsReceiver>>
  db: Awaited<ReturnType<typeof openDatabase>>['db']
  addShop(keys?: number): Promise<Shop>
  /** Adds a pet to the shop by SQL. */
  addPet(shop: Shop, count?: number): Promise<unknown>
  addEndpoint(shop: Shop, path: string): Promise<void>
  stop(): Promise<void>
}

/** Starts one process that may send to receivers on loopback. */
export async function layEventsGround(): Promise<EventsGround> {
  const services = await startServices()
  const receiver = await startHttpsReceiver()
  const database = await openDatabase({ databaseUrl: services.databaseUrl, dataDir: '' })
  const { db } = database
  const env = {
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
    NODE_EXTRA_CA_CERTS: receiver.cert,
    WEBHOOK_NETWORKS: '127.0.0.0/8',
    CONNECTIONS_PER_ADDRESS: '5000',
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  const greeting = { method: 'GET', path: '/livez', headers: {} } as const
  const served = await serve('../src/start.js', services.folder, env, greeting)
  let shops = 0
  return {
    served,
    receiver,
    db,
    async addShop(keys = 1) {
      const slug = `shop-${++shops}`
      const limits = { requestsPerMinute: 1_000_000, requestsPerDay: 100_000_000 }
      const row = await db.project.create({
        data: { slug, name: slug, planName: 'enterprise', ...limits },
        include: { plan: true },
      })
      const secrets: string[] = []
      for (let n = 0; n < keys; n++) {
        const scopes = ['pets:read', 'events:read', 'webhooks:write'] as const
        secrets.push(
          (await issueApiKey(db, systemClock, toProject(row), { name: `key ${n}`, scopes })).secret,
        )
      }
      return { id: row.id, keys: secrets }
    },
    addPet: (shop, count = 1) =>
      db.$executeRaw`
        INSERT INTO pets (project_id, name, category_id) SELECT ${shop.id}::int, 'Pet', 1 FROM generate_series(1, ${count}::int)`,
    async addEndpoint(shop, path) {
      const answer = await fetch(`http://127.0.0.1:${served.port}/v1/webhooks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${shop.keys[0]}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url: new URL(path, receiver.url).href, types: ['pet.created'] }),
      })
      if (answer.status !== 201) throw new Error(`An endpoint got ${answer.status}: ${await answer.text()}`)
    },
    async stop() {
      await served.stop()
      await database.close()
      receiver.stop()
      await services.stop()
    },
  }
}
