import pg from 'pg'
import { onTestFinished } from 'vitest'
import { freshDatabase, freshRedis } from './databases.ts'
import { waitUntilCached } from './over-and-over.ts'
import { startApp, type TestProject } from './start-app.ts'
import { answersAt, startProcess } from './start-process.ts'

/**
 * Starts two processes with the same PostgreSQL and Redis, and makes a project whose pets both processes have cached.
 */
export async function openTwo(given: { DATABASE_URL?: string; REDIS_URL?: string } = {}) {
  const own = await freshDatabase()
  const env = {
    DATABASE_URL: given.DATABASE_URL ?? own.env.DATABASE_URL ?? '',
    REDIS_URL: given.REDIS_URL ?? (await freshRedis()) ?? '',
  }
  const here = await startApp({ env })
  const other = await startProcess(env)
  const stop = async () => {
    other.child.kill('SIGKILL')
    await other.ended
    await here.stop()
    await own.remove()
  }
  await other.printed(answersAt)
  const store = await here.makeProject({ perMinute: 1_000_000, perDay: 1_000_000 })
  const { json } = await store.post('/v1/pets', { name: 'First', categoryId: 1 })
  const { id } = json as { id: number }
  const lists = { store, urls: [here.url, other.url], paths: ['/v1/pets?limit=100', '/graphql'] }
  const everything = { ...lists, paths: [...lists.paths, `/v1/pets/${id}`] }
  await waitUntilCached(everything)
  return { here, other, store, lists, everything, env, stop }
}

export async function startTwo(given?: Parameters<typeof openTwo>[0]) {
  const two = await openTwo(given)
  onTestFinished(two.stop)
  return two
}

export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end().catch(() => {}))
  return client
}

export const createPet = (store: TestProject, url: string, name: string) =>
  fetch(`${url}/v1/pets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${store.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, categoryId: 1 }),
  })

export const lacks = (name: string) => (text: string) => !text.includes(name)
export const has = (name: string) => (text: string) => text.includes(name)
