import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { makeSecret, prefixOf } from '../../src/core/secrets.ts'
import { type AlertGround, repeat } from './alert-ground.ts'
import { openRawConnection, type RawConnection } from './raw-connection.ts'

export type Cause = {
  alerts: string[]
  fault: string
  /** True if `npm test` tries this cause. With ALERTS=all the test tries every cause. */
  isShort?: true
  /** True if the test may try this cause at the same time as the other causes with `isQuiet`. */
  isQuiet?: true
  /** Begins the fault, and returns the function that ends it. */
  begin(ground: AlertGround): Promise<() => Promise<unknown>>
}

/** Faults of the services, of the machine and of clients. */
export const causesByFault: Cause[] = [
  {
    alerts: ['AnimalStoreCountsAlone'],
    fault: 'Redis is killed',
    isShort: true,
    async begin({ redis }) {
      await redis.kill9()
      return redis.restart
    },
  },
  {
    alerts: ['AnimalStoreNobodyReady', 'AnimalStoreFails', 'AnimalStoreChangesBehind'],
    fault: 'PostgreSQL is killed',
    async begin({ postgres }) {
      await postgres.kill9()
      return postgres.restart
    },
  },
  {
    alerts: ['AnimalStoreManyRefusedKeys'],
    fault: 'a client sends a wrong key',
    begin: ground => sendKey(ground, `as_${'x'.repeat(40)}`),
  },
  {
    alerts: ['AnimalStoreReadsSlow', 'AnimalStoreWritesSlow'],
    fault: 'somebody locks the table of pets for a second again and again',
    begin: async ({ sql }) =>
      repeat(() => sql('BEGIN; LOCK TABLE pets IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(1); COMMIT')),
  },
  {
    alerts: ['AnimalStoreStalls'],
    fault: 'the process is stopped for a second (SIGSTOP)',
    begin: async ground => stopProcessOften(ground, { forMs: 900, everyMs: 3_900 }),
  },
  {
    alerts: ['AnimalStoreBusy'],
    fault: 'the process gets CPU time for a part of each second (SIGSTOP)',
    begin: async ground => stopProcessOften(ground, { forMs: 350, everyMs: 600 }),
  },
  {
    alerts: ['AnimalStoreForgetsOften'],
    fault: 'the connections to PostgreSQL are ended again and again',
    begin: async ({ sql }) =>
      repeat(async () => {
        await sql(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'animal-store'",
        )
        await pause(2_000)
      }),
  },
  {
    alerts: ['AnimalStoreDatabaseWaits', 'AnimalStorePoolBusy'],
    fault: 'a pool of three connections and a locked table of pets, which many clients ask for',
    async begin(ground) {
      await ground.restart({ DATABASE_POOL_SIZE: '3' })
      const unlock = await ground.lock('pets', 'ACCESS EXCLUSIVE')
      const stopAsking = askOften(ground)
      return async () => {
        await unlock()
        await stopAsking()
        await ground.restart()
      }
    },
  },
  {
    alerts: ['AnimalStoreRedisSlow'],
    fault: 'Redis halts for 80 ms again and again (CLIENT PAUSE)',
    async begin({ redis }) {
      const commands = new Redis(redis.url)
      const stopPausing = repeat(async () => {
        await commands.client('PAUSE', 80)
        await pause(200)
      })
      return async () => {
        await stopPausing()
        commands.disconnect()
      }
    },
  },
  {
    alerts: ['AnimalStoreMigrationsPending'],
    fault: 'a migration is not applied',
    async begin({ sql }) {
      await sql(`CREATE TABLE applied AS SELECT * FROM _prisma_migrations ORDER BY migration_name DESC LIMIT 1;
        DELETE FROM _prisma_migrations WHERE id IN (SELECT id FROM applied)`)
      return () => sql('INSERT INTO _prisma_migrations SELECT * FROM applied; DROP TABLE applied')
    },
  },
  {
    alerts: ['AnimalStoreUsageWaits'],
    fault: 'the tables of usage are locked, while eleven thousand projects send requests',
    async begin(ground) {
      const secrets = await openShops(ground, 11_000, 1e6)
      const unlock = await ground.lock('usage, key_usage, latencies, api_keys', 'SHARE')
      // After these requests, each project has at least one row of usage that the service cannot write while the tables
      // are locked.
      await sendFromEach(ground, secrets)
      return unlock
    },
  },
  {
    alerts: ['AnimalStoreAtLimit'],
    fault: 'a client sends more than its limit',
    begin: ground => sendKey(ground, ground.limited.secret),
  },
  {
    alerts: ['AnimalStoreBansMany'],
    fault: 'thirty clients go on sending after they have met their limits',
    async begin(ground) {
      const secrets = await openShops(ground, 30, 1)
      await sendFromEach(ground, Array(8).fill(secrets).flat())
      return async () => {}
    },
  },
  {
    alerts: ['AnimalStoreLogDropped'],
    fault: 'the reader of the log stalls',
    async begin(ground) {
      await ground.restart({ LOG_REQUESTS: '1' })
      ground.service.child.stdout?.pause()
      const stopAsking = repeat(() => Promise.all(Array.from({ length: 20 }, () => askWithLongNames(ground))))
      return async () => {
        await stopAsking()
        await ground.restart()
      }
    },
  },
  {
    alerts: ['AnimalStoreMemory'],
    fault: 'the process holds 900 MB',
    async begin(ground) {
      const code = 'globalThis.kept=Buffer.alloc(900_000_000,1)'
      await ground.restart({ NODE_OPTIONS: `--import=data:text/javascript,${code}` })
      return ground.restart
    },
  },
  {
    alerts: ['AnimalStoreFiles'],
    fault: 'the process may open 256 files, and clients hold 190 connections',
    async begin(ground) {
      await ground.restart({}, { under: ['sh', '-c', 'ulimit -n 256; exec "$@"', 'sh'] })
      const connections = await Promise.all(Array.from({ length: 190 }, () => openIdleConnection(ground)))
      return async () => {
        for (const { socket } of connections) socket.destroy()
        await ground.restart()
      }
    },
  },
  {
    alerts: ['AnimalStoreFailsSlowly'],
    fault: 'PostgreSQL is away for a second, every ten seconds',
    begin: async ({ postgres }) =>
      repeat(async () => {
        await postgres.kill9()
        await pause(1_000)
        await postgres.restart()
        await pause(9_000)
      }),
  },
  {
    alerts: ['AnimalStoreRestarts'],
    fault: 'the process is killed and started again and again',
    begin: async ground =>
      repeat(async () => {
        await ground.restart()
        await pause(3_000)
      }),
  },
  {
    alerts: ['AnimalStoreProcessDown', 'AnimalStoreDown'],
    fault: 'the only process is killed',
    isShort: true,
    async begin(ground) {
      await ground.kill()
      return ground.restart
    },
  },
]

async function sendKey(ground: AlertGround, secret: string): Promise<() => Promise<void>> {
  ground.secret = secret
  return async () => {
    ground.secret = ground.client.secret
  }
}

function stopProcessOften(ground: AlertGround, { forMs, everyMs }: { forMs: number; everyMs: number }) {
  return repeat(async () => {
    ground.service.child.kill('SIGSTOP')
    await pause(forMs)
    ground.service.child.kill('SIGCONT')
    await pause(everyMs - forMs)
  })
}

/** The requests differ, because equal requests at the same moment would share a statement. */
const questions = ['', '?status=sold', '?categoryId=1', '?status=sold&categoryId=1', '/1']

function askOften(ground: AlertGround): () => Promise<unknown> {
  const stops = Array(4)
    .fill(questions)
    .flat()
    .map(question =>
      repeat(() => send(ground, `/v1/pets${question}`, { authorization: `Bearer ${ground.client.secret}` })),
    )
  return () => Promise.all(stops.map(stop => stop()))
}

/** Each log line is so long that some thousands of them exceed the buffers. */
const askWithLongNames = (ground: AlertGround) =>
  send(ground, '/livez', {
    'x-request-id': 'r'.repeat(128),
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  })

async function send({ url }: AlertGround, path: string, headers: Record<string, string>): Promise<void> {
  const answer = await fetch(`${url}${path}`, { headers })
  await answer.arrayBuffer()
}

async function sendFromEach(ground: AlertGround, secrets: readonly string[]): Promise<void> {
  const rest = secrets.values()
  const sendRest = async () => {
    for (const secret of rest) await send(ground, '/v1/pets', { authorization: `Bearer ${secret}` })
  }
  await Promise.all(Array.from({ length: 40 }, sendRest))
}

/**
 * Opens a connection, sends one request, and waits for the answer. The connection then stays open without a further
 * request.
 */
async function openIdleConnection({ url }: AlertGround): Promise<RawConnection> {
  const connection = await openRawConnection(url)
  connection.socket.write('GET /livez HTTP/1.1\r\nHost: shop\r\n\r\n')
  await connection.answers(1)
  return connection
}

/** Makes projects with an API key each, and returns the keys' secrets. */
async function openShops({ write }: AlertGround, count: number, perMinute: number): Promise<string[]> {
  const secrets = Array.from({ length: count }, makeSecret)
  const rows = secrets.map(secret => `('${secret}', '${prefixOf(secret)}')`)
  await write(`
    WITH secrets AS (SELECT * FROM (VALUES ${rows}) AS secrets (secret, prefix)), made AS (
      INSERT INTO projects (slug, name, plan, requests_per_minute, requests_per_day)
      SELECT 'shop-' || gen_random_uuid(), prefix, 'business', ${perMinute}, 1000000000 FROM secrets
      RETURNING id, name
    )
    INSERT INTO api_keys (id, project_id, name, prefix, hash, scopes)
    SELECT gen_random_uuid(), made.id, 'test', prefix, sha256(secret::bytea), '{pets:read}'
    FROM secrets JOIN made ON made.name = prefix`)
  return secrets
}
