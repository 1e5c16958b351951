import { afterAll, beforeAll, expect, it } from 'vitest'
import { ids } from '../support/ids.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const json = { 'content-type': 'application/json' }

it('every operation treats a hundred pets of another project as missing', async () => {
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
