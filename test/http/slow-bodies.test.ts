import { afterAll, beforeAll, expect, it } from 'vitest'
import { setRole } from '../../src/core/people/members.ts'
import { suspendProject } from '../../src/core/projects/operator.ts'
import { signedIn } from '../support/people.ts'
import { openRawConnection } from '../support/raw-connection.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const pet = { name: 'Rex', categoryId: 1 }
const addPet = { name: 'add_pet', arguments: { name: 'Rex', categoryId: '1' } }

/**
 * Sends a body without its last byte. Before the last byte, `happen` makes a change, and the process reads it from the
 * log of changes.
 */
async function sendSlowly(secret: string, path: string, body: object, happen: () => Promise<unknown>) {
  const text = JSON.stringify(body)
  const inFlight = () => app.tools.metrics.requests.inFlight
  // Cache the key and load the code of the path first. Otherwise the service might look up the key only after the change.
  await app.ask(path, { headers: { authorization: `Bearer ${secret}` } })
  await expect.poll(inFlight).toBe(0)
  const { socket, answers } = await openRawConnection(app.url)
  const head = [
    ...[`POST ${path} HTTP/1.1`, 'host: localhost', `authorization: Bearer ${secret}`],
    ...['accept: application/json, text/event-stream', 'content-type: application/json'],
    ...[`content-length: ${text.length}`, 'connection: close'],
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${text.slice(0, -1)}`)
  await expect.poll(inFlight).toBe(1)
  await happen()
  await app.tools.changes.read()
  socket.write(text.slice(-1))
  const [answer] = await answers(1)
  return answer
}

it.each([
  ['/v1/pets', pet],
  [
    '/graphql',
    { query: 'mutation { apiKeyIssue(input: { name: "next", scopes: [pets_read] }) { secret } }' },
  ],
  ['/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: addPet }],
])(
  'a POST to %s gets a 401 and does nothing if its key is revoked while the body arrives',
  async (path, body) => {
    const { db } = app.tools
    const { secret, keyId: id, project } = await app.makeProject()

    const answer = await sendSlowly(secret, path, body, () =>
      db.apiKey.update({ where: { id }, data: { revokedAt: new Date() } }),
    )

    const where = { projectId: project.id }
    expect(answer?.status).toBe(401)
    expect([await db.pet.count({ where }), await db.apiKey.count({ where })]).toEqual([0, 1])
  },
)

it('a pet is not created if the project is suspended, or the member gets a lower role, while the body arrives', async () => {
  const { db, clock } = app.tools
  const { secret, project } = await app.makeProject()
  const developer = await signedIn(app.tools, app.url, project, 'developer')

  const lowered = await sendSlowly(await developer.token(), '/v1/pets', pet, () =>
    setRole(db, project, developer.personId, 'viewer'),
  )
  const suspended = await sendSlowly(secret, '/v1/pets', pet, () => suspendProject(db, clock, project.slug))

  for (const [answer, code] of [
    [lowered, 'insufficient_scope'],
    [suspended, 'project_suspended'],
  ] as const)
    expect([answer?.status, JSON.parse(answer?.body ?? '')]).toMatchObject([403, { code }])
  expect(await db.pet.count({ where: { projectId: project.id } })).toBe(0)
})
