import { afterAll, beforeAll, expect, test } from 'vitest'
import { acceptInvitation } from '../../src/core/people/joining.ts'
import { endSession, listSessions } from '../../src/core/people/sessions.ts'
import { anonymousCharge, personCharge } from '../../src/core/projects/limits.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { fillKeys } from '../support/fill-keys.ts'
import { canRace } from '../support/open-database.ts'
import { signedIn } from '../support/people.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { watchStatements } from '../support/statements.ts'

let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject()
})
afterAll(() => app?.stop())

const budgetOf = (personId: string) => personCharge(personId, 1)

test('a request for a token causes no SQL statement if its person has used up the budget', async () => {
  const ada = await signedIn(app.tools, app.url, store.project, 'viewer')
  const { subject, windows } = budgetOf(ada.personId)
  await app.tools.limiter.penalty(subject, 300, { windows })

  // A background job may read these tables too, so use the lowest of three counts.
  const counts: number[] = []
  for (let n = 0; n < 3; n++) {
    const statements = watchStatements()
    const refused = await Promise.all(Array.from({ length: 20 }, () => ada.post('/session/token')))
    counts.push(statements.about('sessions', 'memberships', 'access_tokens'))
    statements.stop()
    expect(refused.map(({ status }) => status)).toEqual(Array(20).fill(429))
  }

  expect(Math.min(...counts)).toBe(0)
})

test('a token costs its person five requests', async () => {
  const ada = await signedIn(app.tools, app.url, store.project, 'viewer')
  const { subject, windows } = budgetOf(ada.personId)
  await app.tools.limiter.delete(subject, { windows })

  expect((await ada.post('/session/token')).status).toBe(200)

  expect((await app.tools.limiter.get(subject, { windows })).windows).toMatchObject([{ remaining: 295 }])
})

test('an export costs its person one request, and one more for each 100 keys that the person issued', async () => {
  const ada = await signedIn(app.tools, app.url, store.project, 'viewer')
  const headers = { authorization: `Bearer ${await ada.token()}` }
  const { subject, windows } = budgetOf(ada.personId)
  await fillKeys(app.tools.db, store.project, 250, { issuedBy: ada.personId, expiresAt: new Date(0) })
  await app.tools.limiter.delete(subject, { windows })

  expect((await ada.post('/session/export', {}, headers)).status).toBe(200)

  expect((await app.tools.limiter.get(subject, { windows })).windows).toMatchObject([{ remaining: 297 }])
})

test('five token requests with the cookie of an ended session cost the person only as much as one token request', async () => {
  const ada = await signedIn(app.tools, app.url, store.project, 'viewer')
  const { subject, windows } = budgetOf(ada.personId)
  const [session] = await listSessions(app.tools.db, systemClock, ada.personId)
  await endSession(app.tools.db, ada.personId, session?.id ?? '')
  await app.tools.limiter.delete(subject, { windows })

  for (let i = 0; i < 5; i++) expect((await ada.post('/session/token')).status).toBe(401)

  expect((await app.tools.limiter.get(subject, { windows })).windows).toMatchObject([{ remaining: 295 }])
})

test.each([
  ['/session/token', 'application/json', '[]', 400],
  ['/session/token', 'text/plain', '{}', 415],
  ['/session/device', 'application/x-www-form-urlencoded', 'a=1&a=2', 400],
])('a body that %s cannot read is charged to the IP address: %s %s', async (path, type, body, status) => {
  const { subject, windows } = anonymousCharge('127.0.0.1')
  await app.tools.limiter.delete(subject, { windows })
  const headers = { 'content-type': type, ...(path === '/session/token' && { origin: app.url }) }
  const send = () => app.ask(path, { method: 'POST', headers, body })

  await app.tools.limiter.penalty(subject, 59, { windows })

  expect([(await send()).status, (await send()).status]).toEqual([status, 429])
})

test.skipIf(!canRace())('a request with a guessed invitation begins no database transaction', async () => {
  // A background job may begin a transaction, so use the lowest of three counts.
  const counts: number[] = []
  for (let n = 0; n < 3; n++) {
    const statements = watchStatements()
    const link = `asi_${String(n).padEnd(43, 'x')}`
    const guess = acceptInvitation(
      app.tools.db,
      systemClock,
      link,
      { name: 'Mallory' },
      { attempt: 'y'.repeat(43) },
    )
    await expect(guess).rejects.toMatchObject({ code: 'invitation_not_found' })
    counts.push(statements.mostManaging())
    statements.stop()
  }

  expect(Math.min(...counts)).toBe(0)
})
