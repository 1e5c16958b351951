import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { removeMember } from '../../src/core/people/members.ts'
import { deletePerson } from '../../src/core/people/people.ts'
import { endSession, endSessions, listSessions } from '../../src/core/people/sessions.ts'
import { join, type SignedIn, signedIn } from '../support/people.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
let passedMs = 0
beforeAll(async () => {
  app = await startApp({ clock: { now: () => Date.now() + passedMs, aheadMs: () => 0 } })
  store = await app.makeProject()
  await join(app.tools, store.project, 'owner')
})
afterAll(() => app?.stop())

const member = () => signedIn(app.tools, app.url, store.project, 'developer')

/** Opens a watch as the dashboard's page does. `ended` resolves when the service has ended it. */
async function watch(token: string, headers: Record<string, string> = {}) {
  const outgoing = request(`${app.url}/session/watch`, {
    ...{ method: 'POST', agent: false },
    headers: {
      ...{ origin: app.url, 'sec-fetch-site': 'same-origin', authorization: `Bearer ${token}` },
      ...headers,
    },
  })
  outgoing.on('error', () => {}).end()
  onTestFinished(() => void outgoing.destroy())
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  let text = ''
  response.setEncoding('utf8').on('data', part => {
    text += part
  })
  response.on('error', () => {})
  const ended = new Promise(resolve => response.on('close', resolve))
  return { status: response.statusCode, text: () => text, ended, isOpen: () => !response.complete }
}

const ways: Record<string, (person: SignedIn) => Promise<unknown>> = {
  'the end of its session': async ({ personId }) => {
    const [session] = await listSessions(app.tools.db, app.tools.clock, personId)
    await endSession(app.tools.db, personId, session?.id ?? '')
  },
  'the end of all sessions': ({ personId }) => endSessions(app.tools.db, personId, null),
  'the removal of the member': ({ personId }) =>
    removeMember(app.tools.db, app.tools.clock, store.project, personId),
  'the deletion of the person': ({ personId }) => deletePerson(app.tools.db, personId),
  'the expiry of its token after ten minutes': async () => {
    passedMs += 10 * 60_000
  },
}

it.each(Object.keys(ways))(
  'the stream that watches a session ends with %s, without another request',
  async way => {
    const ada = await member()
    const { status, isOpen, ended, text } = await watch(await ada.token())
    expect([status, isOpen()]).toEqual([200, true])

    await ways[way]?.(ada)
    await ended

    expect(text()).toBe(':\n\n')
    expect((await watch(await ada.token().catch(() => ''))).status).toBe(way.includes('minutes') ? 200 : 401)
  },
)

it('pages of other origins, API keys and callers without a token cannot watch a session', async () => {
  const token = await (await member()).token()

  const elsewhere = await watch(token, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })
  expect(elsewhere.status).toBe(403)
  expect((await watch(store.secret)).status).toBe(401)
  expect((await watch('')).status).toBe(401)
})

it('a session has at most 20 streams that watch it, and each costs the person one request', async () => {
  const token = await (await member()).token()
  const open = []
  for (let n = 0; n < 20; n++) open.push(await watch(token))

  const refused = await watch(token)

  expect(open.filter(({ status }) => status === 200)).toHaveLength(20)
  await refused.ended
  expect([refused.status, refused.text()]).toEqual([429, expect.stringContaining('rate_limited')])
  expect((await watch(await (await member()).token())).status).toBe(200)
})
