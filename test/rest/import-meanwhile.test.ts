import { afterAll, beforeAll, expect, it } from 'vitest'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const gone: [string, (store: TestProject) => Promise<unknown>, number, string][] = [
  [
    'its project is suspended',
    ({ project: { id } }) =>
      app.tools.db.project.update({ where: { id }, data: { suspendedAt: new Date() } }),
    403,
    'project_suspended',
  ],
  [
    'its key is revoked',
    ({ project: { id } }) =>
      app.tools.db.apiKey.updateMany({ where: { projectId: id }, data: { revokedAt: new Date() } }),
    401,
    'unauthorized',
  ],
]

it.each(gone)('an import adds nothing when %s while its body comes', async (_, happen, status, code) => {
  const store = await app.makeProject()
  // The key is known from then on, so that the import is let in as soon as it is there.
  expect((await store.get('/v1/rate-limit')).status).toBe(200)
  async function* slowly() {
    yield Buffer.from('{"name":"Rex","categoryId":1}\n')
    await expect.poll(() => app.tools.metrics.requests.inFlight).toBe(1)
    await happen(store)
    await app.tools.changes.look()
    yield Buffer.from('{"name":"Max","categoryId":1}\n')
  }

  const answer = await fetch(`${app.url}/v1/pets/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${store.secret}`, 'content-type': 'application/x-ndjson' },
    body: ReadableStream.from(slowly()),
    duplex: 'half',
  } as RequestInit)

  expect(answer.status).toBe(status)
  expect(await answer.json()).toMatchObject({ code })
  expect(await app.tools.db.pet.count({ where: { projectId: store.project.id } })).toBe(0)
})
