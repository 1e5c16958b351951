import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { listMembers } from '../../src/core/people/members.ts'
import { addPasskey } from '../../src/core/people/passkeys.ts'
import { beginSession, listSessions } from '../../src/core/people/sessions.ts'
import { suspendProject } from '../../src/core/projects/operator.ts'
import { codesOf, sendGraphql } from '../support/graphql.ts'
import { join, type SignedIn, signedIn } from '../support/people.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
let ada: SignedIn
let token: string
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app?.stop())
beforeEach(async () => {
  store = await app.makeProject()
  await join(app.tools, store.project, 'owner')
  ada = await signedIn(app.tools, app.url, store.project, 'viewer', 'Ada')
  token = await ada.token()
  const { tools } = app
  await suspendProject(tools.db, tools.clock, store.project.slug)
  await tools.changes.read()
})

const send = (query: string, secret = token) => sendGraphql(app.url, secret, query)

it('a member of a suspended project can read and rename their own account', async () => {
  const renamed = await send('mutation { viewerRename(input: { name: "Ada L." }) { viewer { name } } }')
  const read = await send('{ caller { projectSlug } viewer { name memberships { projectSlug } } }')

  expect(renamed.data.viewerRename.viewer.name).toBe('Ada L.')
  expect(read.data.caller.projectSlug).toBe(store.project.slug)
  expect(read.data.viewer).toEqual({ name: 'Ada L.', memberships: [{ projectSlug: store.project.slug }] })
})

it('a member of a suspended project ends sessions and removes passkeys', async () => {
  const { db, clock } = app.tools
  const begun = await beginSession(db, clock, ada.personId, 'Firefox on Linux')
  const id = randomUUID()
  const passkey = { id, name: 'Laptop', transports: [], counter: 0n }
  const inSession = { id: ada.personId, sessionId: begun.session.id }
  await addPasskey(db, clock, inSession, { ...passkey, publicKey: new Uint8Array(8) })

  expect(
    codesOf(await send(`mutation { passkeyRemove(input: { id: "passkey_${id}" }) { passkeyId } }`)),
  ).toEqual([])
  const ended = await send('mutation { sessionsEnd(input: { current: false }) { count } }')

  expect(ended.data.sessionsEnd.count).toBe(1)
  expect(await db.passkey.count({ where: { personId: ada.personId } })).toBe(0)
  const [session] = await listSessions(db, clock, ada.personId)
  const last = await send(`mutation { sessionEnd(input: { id: "session_${session?.id}" }) { sessionId } }`)
  expect(codesOf(last)).toEqual([])
  expect(await listSessions(db, clock, ada.personId)).toEqual([])
})

it('a member of a suspended project can delete their own account', async () => {
  const deleted = await send(
    `mutation { viewerDelete(input: { id: "person_${ada.personId}" }) { viewerId } }`,
  )

  expect(codesOf(deleted)).toEqual([])
  expect((await listMembers(app.tools.db, store.project)).map(({ person }) => person.name)).toEqual([
    'A owner',
  ])
})

it('a member of a suspended project can read only fields about themselves, and a query that also reads other fields is refused', async () => {
  for (const query of [
    '{ viewer { name } project { slug } }',
    '{ viewer { name } pets { nodes { id } } }',
    '{ caller { projectSlug } rateLimit { perMinute { remaining } } plans { id } }',
  ])
    expect([query, codesOf(await send(query))]).toEqual([query, ['project_suspended']])
  expect(codesOf(await send('{ caller { projectSlug } }', store.secret))).toEqual(['project_suspended'])
})
