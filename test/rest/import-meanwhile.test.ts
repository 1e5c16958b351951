import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendImport, types } from '../support/import.ts'
import { openRawConnection } from '../support/raw-connection.ts'
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

it('imports of one project that come at once fill their share of the memory, leave room for others, and give it back', async () => {
  const [store, other] = [await app.makeProject(), await app.makeProject()]
  const large = Buffer.from(`${' '.repeat(59_999)}\n`.repeat(150))
  const head = `POST /v1/pets/import HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${store.secret}\r\ncontent-type: ${types.ndjson}\r\n`
  const four = await Promise.all([1, 2, 3, 4].map(() => openRawConnection(app.url)))

  // The last byte of each is kept back.
  for (const { socket } of four) {
    socket.write(`${head}content-length: ${large.length + 1}\r\n\r\n`)
    socket.write(large)
  }
  const [refused] = await Promise.race(four.map(({ answers }) => answers(1)))
  const ofOther = await sendImport(other, 'ndjson', large)
  for (const { socket } of four) socket.write('\n')
  const all = await Promise.all(four.map(({ answers }) => answers(1)))
  const after = await sendImport(store, 'ndjson', large)

  expect(refused?.headers.get('retry-after')).toBe('1')
  expect(JSON.parse(refused?.body ?? '')).toMatchObject({
    code: 'unavailable',
    message: 'Too many imports are being read; try again in a moment.',
  })
  expect(ofOther.status).toBe(201)
  expect(all.map(([answer]) => answer?.status).sort()).toEqual([201, 201, 201, 503])
  expect(after.status).toBe(201)
})
