// Measures the figures from which operators plan disks and memory: bytes of WAL per write, of disk per row, and memory
// per connection.
import { once } from 'node:events'
import { connect } from 'node:net'
import type pg from 'pg'
import { residentMegabytes } from './account.ts'
import { withClient } from './database.ts'
import { fill } from './fill.ts'
import { startServices } from './ground.ts'
import { type Served, serve } from './processes.ts'
import { importOf, openSender, untilNumbered, walPosition } from './writes.ts'

export type SizesFound = {
  /** Bytes of WAL per act, without full-page images, whose number depends on the time between checkpoints. */
  wal: Record<'create' | 'update' | 'order' | 'importedPet', number>
  /**
   * Bytes on disk per row with its indexes, after VACUUM. `pet` does not include the index for searches, which is
   * `searchOfPet`.
   */
  disk: Record<'pet' | 'searchOfPet' | 'order' | 'event', number>
  kilobytesPerConnection: number
}

const pets = 200_000
const acts = 2_000
const connections = 2_000

export async function measureSizes(): Promise<SizesFound> {
  const services = await startServices({ full_page_writes: 'off' })
  const keys = await fill(services.databaseUrl, { pets, projects: 1 })
  const env = {
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
    CONNECTIONS_PER_ADDRESS: '5000',
  }
  const greeting = { method: 'GET', path: '/livez', headers: {} } as const
  const served = await serve('../src/start.js', services.folder, env, greeting)
  const send = openSender(served.port, `Bearer ${keys.secret(1)}`)

  try {
    return await withClient(services.databaseUrl, async client => {
      const wal = {
        create: await walOf(client, n => send('POST', '/v1/pets', `{"name":"Rex ${n}","categoryId":1}`)),
        update: await walOf(client, n => send('PATCH', `/v1/pets/${pets + n}`, `{"name":"Max ${n}"}`)),
        order: await walOf(client, n => send('POST', '/v1/store/orders', `{"petId":${pets + n}}`)),
        importedPet: await walOf(client, n => (n === 1 ? importOf(send, acts) : Promise.resolve())),
      }
      return {
        wal,
        disk: await measureDisk(client),
        kilobytesPerConnection: await measureConnections(served),
      }
    })
  } finally {
    await served.stop()
    await services.stop()
  }
}

/**
 * Returns the bytes of WAL per act. Includes the WAL of the background jobs that number the events of the acts and
 * write the usage.
 */
async function walOf(client: pg.Client, act: (n: number) => Promise<void>): Promise<number> {
  const before = await walPosition(client)
  for (let n = 1; n <= acts; n++) await act(n)
  await untilNumbered(client)
  return ((await walPosition(client)) - before) / acts
}

async function measureDisk(client: pg.Client): Promise<SizesFound['disk']> {
  await client.query('vacuum analyze')
  const bytesOf = async (sum: string, table: string) => {
    const { rows } = await client.query<{ bytes: number }>(
      `select (${sum})::float8 / (select count(*) from ${table}) as bytes`,
    )
    return rows[0]?.bytes ?? Number.NaN
  }
  const searchOfPet = await bytesOf(`pg_relation_size('pets_name_search_idx')`, 'pets')
  return {
    pet: (await bytesOf(`pg_total_relation_size('pets')`, 'pets')) - searchOfPet,
    searchOfPet,
    order: await bytesOf(`pg_total_relation_size('orders')`, 'orders'),
    event: await bytesOf(`pg_total_relation_size('events')`, 'events'),
  }
}

async function measureConnections({ port, pid }: Served): Promise<number> {
  const before = residentMegabytes(pid)
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n')
      await once(socket, 'data')
      return socket
    }),
  )
  const after = residentMegabytes(pid)
  for (const socket of sockets) socket.destroy()
  return ((after - before) * 1024) / connections
}
