import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openStudio } from '../../src/studio/queries.ts'
import type { Answer } from '../support/ask.ts'
import { type App, startApp } from '../support/start-app.ts'

// The thread of the database starts again in each test, which takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

/** Statements that run for minutes, although PostgreSQL estimates a low cost. */
const slow = {
  'functions that copy long texts': `SELECT sum(length(repeat(md5(i::text), 100000))) FROM generate_series(1, 90000) i`,
  'powers with many digits': `SELECT sum(length(power(3::numeric, 2000.5 + i / 10.0)::text)) FROM generate_series(1, 80000) i`,
}

let app: App
let studio: (body: unknown) => Promise<unknown>
beforeAll(async () => {
  app = await startApp({ env: { DATABASE_URL: '' } })
  if (!app.tools.database.lend) throw new Error('The embedded database is not lent.')
  studio = openStudio(app.tools.database.lend, async () => {})
  expect(await run('SELECT 1 AS one')).toEqual([null, [{ one: 1 }]])
})
afterAll(() => app?.stop())

const run = (sql: string) => studio({ procedure: 'query', query: { sql, parameters: [] } })
const stopped = [{ name: 'Error', message: expect.stringContaining('stopped after 2 s of CPU time') }]

/** On a slow machine, a statement may wait too long for the thread of the database to start again. */
function expectAnswered({ status, headers }: Answer): void {
  if (status !== 201) expect([status, headers['retry-after']]).toEqual([503, expect.any(String)])
}

it.each(Object.entries(slow))(
  '%s: Studio stops the slow statement, and meanwhile /livez succeeds and a request of another project gets an answer',
  async (_, sql) => {
    const neighbour = await app.makeProject()
    let isOver = false

    const attack = run(sql).finally(() => {
      isOver = true
    })
    const create = () => neighbour.post('/v1/pets', { name: 'Rex', categoryId: 1 })
    const during = create()
    let alive = 0
    for (let n = 0; n < 3; n++) if ((await app.ask('/livez')).status === 200 && !isOver) alive++

    expect(alive).toBe(3)
    expect(await attack).toEqual(stopped)
    expectAnswered(await during)
    expect((await create()).status).toBe(201)
  },
)

it('no acknowledged write is lost when a statement of Studio is stopped', async () => {
  const writer = await app.makeProject()
  const acknowledged: string[] = []
  let isOver = false
  const write = async (name: string) => {
    for (let n = 0; !isOver; n++) {
      const created = await writer.post('/v1/pets', { name: `${name} ${n}`, categoryId: 1 })
      expectAnswered(created)
      if (created.status === 201) acknowledged.push(`${name} ${n}`)
    }
  }
  const writing = ['Ada', 'Bea', 'Cleo', 'Dora'].map(write)

  await expect.poll(() => acknowledged.length).toBeGreaterThan(10)
  expect(await run(slow['functions that copy long texts'])).toEqual(stopped)
  isOver = true
  await Promise.all(writing)

  const stored = await app.tools.db.pet.findMany({ where: { projectId: writer.project.id } })
  expect(stored.map(({ name }) => name)).toEqual(expect.arrayContaining(acknowledged))
  expect(stored.length).toBeGreaterThanOrEqual(acknowledged.length)
})

it('a Studio query whose result would fill the memory is refused, and the next query is answered', async () => {
  expect(await run("SELECT repeat('x', 200000000)")).toMatchObject([
    { message: expect.stringMatching('more than 100000000 bytes|stopped after') },
  ])

  expect(await run('SELECT 2 AS two')).toEqual([null, [{ two: 2 }]])
})
