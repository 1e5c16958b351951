import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshDatabase } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'
import { type Service, startRedis } from '../support/services.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { answersAt, type Running, startProcess } from '../support/start-process.ts'

/** `here` creates projects in this process. Three more processes share a Redis that the test can break. */
let here: App | undefined
let redis: Service
let three: Running[] = []
beforeAll(async () => {
  const database = await freshDatabase()
  if (!database.env.DATABASE_URL || !findProgram('redis-server')) return
  redis = await startRedis()
  const env = { DATABASE_URL: database.env.DATABASE_URL, REDIS_URL: redis.url }
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

const wholeList = JSON.stringify({ query: '{ pets(first: 100) { nodes { id name } } }' })

it('no process shows an old pet to a read that begins after the change, whatever happens to Redis', async ({
  skip,
}) => {
  if (!here) return skip('redis-server or PostgreSQL is not installed')
  const store = await here.makeProject({ perMinute: 1_000_000, perDay: 1_000_000 })
  let stale = 0
  let reads = 0
  let lastAdded = false

  await Promise.all([add(), ...Array.from({ length: 6 }, (_, i) => read(i)), breakRedis()])

  expect(reads).toBeGreaterThan(300)
  expect(stale).toBe(0)

  /** Adds forty pets through the three processes in turn, and after each pet reads from all three. */
  async function add(): Promise<void> {
    for (let i = 0; i < 40; i++) {
      const body = JSON.stringify({ name: `Pet ${i}`, categoryId: 1 })
      const { id } = await post<{ id: number }>(store, `${three[i % 3]?.url}/v1/pets`, body)
      const pages = await Promise.all(three.flatMap(({ url }) => [rest(store, url), graphql(store, url)]))
      reads += pages.length
      stale += pages.filter(page => !page.has(id)).length
      if (i % 4 === 0) await change(id, i)
    }
    lastAdded = true
  }

  /** Renames a pet and deletes it, over different processes. */
  async function change(id: number, i: number): Promise<void> {
    const url = (process: number) => `${three[process % 3]?.url}/v1/pets/${id}`
    const ask = (process: number, method: string, body?: string) =>
      fetch(url(process), {
        method,
        headers: { ...bearer(store), 'content-type': 'application/json' },
        ...(body && { body }),
      })
    expect((await ask(i + 1, 'PATCH', '{"name":"Renamed"}')).status).toBe(200)
    const renamed = await Promise.all(three.flatMap(({ url }) => [rest(store, url), graphql(store, url)]))
    expect((await ask(i + 2, 'DELETE')).status).toBe(204)
    const deleted = await Promise.all(three.flatMap(({ url }) => [rest(store, url), graphql(store, url)]))
    reads += renamed.length + deleted.length
    stale +=
      renamed.filter(page => page.get(id) !== 'Renamed').length + deleted.filter(page => page.has(id)).length
  }

  /** Reads repeatedly, so that every process caches the pages. */
  async function read(first: number): Promise<void> {
    for (let i = first; !lastAdded; i++) {
      await (i % 2 ? rest : graphql)(store, three[i % 3]?.url ?? '')
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

async function post<Body>(store: TestProject, url: string, body: string): Promise<Body> {
  const headers = { ...bearer(store), 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body })
  expect(answer.status).toBeLessThan(300)
  return (await answer.json()) as Body
}

/** Names by id. */
type Names = Map<number, string>

async function rest(store: TestProject, url: string): Promise<Names> {
  const answer = await fetch(`${url}/v1/pets?limit=100`, { headers: bearer(store) })
  return new Map(((await answer.json()) as { id: number; name: string }[]).map(({ id, name }) => [id, name]))
}

async function graphql(store: TestProject, url: string): Promise<Names> {
  type Page = { data: { pets: { nodes: { id: string; name: string }[] } } }
  const { data } = await post<Page>(store, `${url}/graphql`, wholeList)
  return new Map(data.pets.nodes.map(({ id, name }) => [Number(id), name]))
}
