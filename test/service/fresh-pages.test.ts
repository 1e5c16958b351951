import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { freshDatabase } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'
import { type Service, startRedis } from '../support/services.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { answersAt, type Running, startProcess } from '../support/start-process.ts'

/** One in this process, to make projects with, and three beside it, with a Redis of their own to break. */
let here: App | undefined
let redis: Service
let three: Running[] = []
beforeAll(async () => {
  const database = await freshDatabase()
  if (!database.env.DATABASE_URL || !findProgram('redis-server')) return
  redis = await startRedis()
  const env = { DATABASE_URL: database.env.DATABASE_URL, REDIS_URL: redis.url, LOG_LEVEL: 'silent' }
  here = await startApp({ env })
  three = await Promise.all([1, 2, 3].map(() => startProcess(env)))
  await Promise.all(three.map(process => process.printed(answersAt)))
})
afterAll(async () => {
  for (const { child } of three) child.kill('SIGTERM')
  await Promise.all(three.map(process => process.ended))
  await here?.stop()
  await redis?.stop()
})

const wholeList = JSON.stringify({ query: '{ pets(first: 100) { nodes { id } } }' })

it('no read that begins after a pet was acknowledged misses it, on any of three processes, whatever happens to Redis', async ({
  skip,
}) => {
  if (!here) return skip('redis-server or PostgreSQL is not installed')
  const stores: TestProject[] = []
  for (let i = 0; i < 4; i++) {
    stores.push(await here.makeProject({ perMinute: 1_000_000, perDay: 1_000_000 }))
  }
  let stale = 0
  let reads = 0
  let lastAdded = false

  await Promise.all([...stores.flatMap(store => [add(store), read(store), read(store)]), breakRedis()])

  expect(reads).toBeGreaterThan(500)
  expect(stale).toBe(0)

  /** Two dozen pets, one after the other, each through another process; at once after each all three are asked for it. */
  async function add(store: TestProject): Promise<void> {
    for (let i = 0; i < 24; i++) {
      const url = three[i % 3]?.url
      const added = await ask(`${url}/v1/pets`, {
        method: 'POST',
        headers: { ...bearer(store), 'content-type': 'application/json' },
        body: JSON.stringify({ name: `Pet ${i}`, categoryId: 1 }),
      })
      expect(added.status).toBe(201)
      const { id } = added.json as { id: number }
      const pages = await Promise.all(three.flatMap(({ url }) => [rest(store, url), graphql(store, url)]))
      reads += pages.length
      stale += pages.filter(page => !page.includes(id)).length
    }
    lastAdded = true
  }

  /** Keeps the pages in the memory of all processes in use. */
  async function read(store: TestProject): Promise<void> {
    for (let i = 0; !lastAdded; i++) {
      const url = three[i % 3]?.url ?? ''
      await rest(store, url)
      await graphql(store, url)
    }
  }

  async function breakRedis(): Promise<void> {
    const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
    while (!lastAdded) {
      await pause(400)
      await redis.kill9()
      await pause(150)
      await redis.restart()
      await pause(400)
      redis.pause()
      await pause(200)
      redis.resume()
    }
  }
}, 60_000)

const bearer = (store: TestProject) => ({ authorization: `Bearer ${store.secret}` })

async function rest(store: TestProject, url: string): Promise<number[]> {
  const { json } = await ask(`${url}/v1/pets?limit=100`, { headers: bearer(store) })
  return (json as { id: number }[]).map(({ id }) => id)
}

async function graphql(store: TestProject, url: string): Promise<number[]> {
  const headers = { ...bearer(store), 'content-type': 'application/json' }
  const { json } = await ask(`${url}/graphql`, { method: 'POST', headers, body: wholeList })
  return (json as { data: { pets: { nodes: { id: string }[] } } }).data.pets.nodes.map(({ id }) => Number(id))
}
