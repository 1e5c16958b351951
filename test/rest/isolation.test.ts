import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshDatabase, freshRedis } from '../support/databases.ts'
import { ids } from '../support/ids.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const json = { 'content-type': 'application/json' }

it('a hundred pets of another project are, to every operation, as if they were not there', async () => {
  const [owner, stranger] = [
    await app.makeProject({ plan: 'enterprise', perMinute: 5_000, perDay: 5_000 }),
    await app.makeProject({ plan: 'enterprise', perMinute: 5_000, perDay: 5_000 }),
  ]
  await app.tools.db.pet.createMany({
    data: Array.from({ length: 100 }, (_, i) => ({
      projectId: owner.project.id,
      name: `Secret ${i}`,
      categoryId: BigInt(i),
      status: 'available' as const,
    })),
  })
  const rows = await app.tools.db.pet.findMany({
    where: { projectId: owner.project.id },
    select: { id: true },
  })
  const missing = await stranger.get('/v1/pets/9223372036854775807')

  for (const { id } of rows) {
    const foreign = await stranger.get(`/v1/pets/${id}`)
    expect(foreign.status).toBe(404)
    expect(foreign.text.replace(`${id}`, '9223372036854775807')).toBe(missing.text)
    for (const change of [
      { method: 'PATCH', headers: json, body: '{"name":"Mine"}' },
      { method: 'DELETE' },
    ]) {
      const refused = await stranger.ask(`/v1/pets/${id}`, change)
      expect(refused.text.replace(`${id}`, '9223372036854775807')).toBe(missing.text)
    }
  }

  for (const query of ['', '?status=available', '?limit=100'])
    expect((await stranger.get(`/v1/pets${query}`)).text).toBe('[]')
  expect(
    await app.tools.db.pet.findMany({ where: { projectId: owner.project.id, name: { not: 'Mine' } } }),
  ).toHaveLength(100)
  expect(ids(await owner.get('/v1/pets?limit=100'))).toHaveLength(100)
}, 60_000)

it('what is kept of one project is shown to no other that asks the same', async ({
  skip,
  onTestFinished,
}) => {
  const [database, redisUrl] = [await freshDatabase(), await freshRedis()]
  if (!redisUrl) return skip('redis-server is not installed')
  const keeping = await startApp({ env: { ...database.env, REDIS_URL: redisUrl } })
  onTestFinished(() => keeping.stop())
  const [owner, stranger] = [await keeping.makeProject(), await keeping.makeProject()]
  for (const [{ project }, name] of [
    [owner, 'Luna'],
    [stranger, 'Rex'],
  ] as const) {
    const data = [1, 2, 3, 4].map(n => ({ projectId: project.id, name: `${name} ${n}`, categoryId: 1n }))
    await keeping.tools.db.pet.createMany({ data })
  }
  const path = '/v1/pets?limit=2'
  const [pet] = (await owner.get(path)).json as { id: number }[]

  const pages = [
    await owner.get(path),
    await owner.get(path),
    await stranger.get(path),
    await stranger.get(path),
  ]
  const pets = [await owner.get(`/v1/pets/${pet?.id}`), await owner.get(`/v1/pets/${pet?.id}`)]
  const foreign = [await stranger.get(`/v1/pets/${pet?.id}`), await stranger.get(`/v1/pets/${pet?.id}`)]

  const names = pages.map(({ json }) => (json as { name: string }[]).map(({ name }) => name))
  expect(names).toEqual([
    ['Luna 1', 'Luna 2'],
    ['Luna 1', 'Luna 2'],
    ['Rex 1', 'Rex 2'],
    ['Rex 1', 'Rex 2'],
  ])
  expect(pets.map(({ json }) => (json as { name: string }).name)).toEqual(['Luna 1', 'Luna 1'])
  expect(foreign.map(({ status }) => status)).toEqual([404, 404])
})
