import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deploy } from '../../src/core/deploys/deploys.ts'
import { platformHostOf } from '../../src/core/hosts/platform-host.ts'
import { invite } from '../../src/core/people/invitations.ts'
import { removeMember, setRole } from '../../src/core/people/members.ts'
import { endSession, forgetEnded, idleMs, listSessions, longestMs } from '../../src/core/people/sessions.ts'
import type { Clock } from '../../src/tools/clock.ts'
import { ask } from '../support/ask.ts'
import { join, openBrowser, signedIn } from '../support/people.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
let passedMs = 0
const clock: Clock = { now: () => Date.now() + passedMs, aheadMs: () => 0 }
beforeAll(async () => {
  app = await startApp({ clock })
  store = await app.makeProject()
})
afterAll(() => app.stop())

const member = (role: 'viewer' | 'developer' | 'owner') => signedIn(app.tools, app.url, store.project, role)
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const link = async (role: 'viewer' | 'developer' | 'owner' = 'viewer') =>
  (await invite(app.tools.db, clock, store.project, { role, invitedBy: null })).secret
const codeOf = ({ json }: { json: unknown }) => (json as { code: string }).code

describe('an invitation link', () => {
  it('an invitation link signs a new person in, once', async () => {
    const secret = await link('developer')
    const browser = openBrowser(app.url)

    const joined = await browser.post('/session/invitation', { secret, name: 'Ada' })
    const again = await openBrowser(app.url).post('/session/invitation', { secret, name: 'Eve' })

    expect([joined.status, joined.json]).toEqual([200, { project: store.project.slug }])
    expect([again.status, codeOf(again)]).toEqual([404, 'invitation_not_found'])
    expect(again.headers['set-cookie']).toBeUndefined()
    const token = await browser.post('/session/token')
    expect(token.json).toMatchObject({
      ...{ project: store.project.slug, role: 'developer' },
      projects: [{ slug: store.project.slug, name: 'A store', role: 'developer' }],
    })
  })

  it('an invitation link that two people use at once lets one of them join', async () => {
    const secret = await link()

    const answers = await Promise.all(
      ['Ada', 'Eve'].map(name => openBrowser(app.url).post('/session/invitation', { secret, name })),
    )

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  })

  it('showing an invitation does not use it up, and neither does a GET of any address', async () => {
    const secret = await link()
    const browser = openBrowser(app.url)

    const shown = await browser.post('/session/invitation/show', { secret })
    const previews = await Promise.all(
      ['/session/invitation', '/session/invitation/show', '/session/token'].map(path =>
        ask(`${app.url}${path}?secret=${secret}`),
      ),
    )
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      await ask(`${app.url}/dashboard/invitation?secret=${secret}`, { method })

    expect(shown.json).toEqual({
      project: { slug: store.project.slug, name: 'A store' },
      role: 'viewer',
      openedBy: null,
      invitedBy: null,
    })
    expect(previews.map(({ status }) => status)).toEqual([405, 405, 405])
    expect((await browser.post('/session/invitation', { secret, name: 'Ada' })).status).toBe(200)
  })

  it('an invitation link ends after seven days', async () => {
    const secret = await link()
    passedMs += 7 * 24 * 60 * 60 * 1000

    const late = await openBrowser(app.url).post('/session/invitation', { secret, name: 'Ada' })

    expect(codeOf(late)).toBe('invitation_not_found')
  })

  it('an invitation link joins a signed-in person to a second project as the same person', async () => {
    const other = await app.makeProject()
    const ada = await member('viewer')
    const { secret } = await invite(app.tools.db, clock, other.project, { role: 'owner', invitedBy: null })

    const joined = await ada.post('/session/invitation', { secret }, bearer(await ada.token()).headers)

    expect(joined.json).toEqual({ project: other.project.slug })
    const { json } = await ada.post('/session/token', { project: other.project.slug })
    const { projects } = json as { projects: { slug: string; role: string }[] }
    expect(projects.map(({ slug, role }) => `${slug} ${role}`)).toEqual([
      `${store.project.slug} viewer`,
      `${other.project.slug} owner`,
    ])
  })
})

describe('the cookie', () => {
  it('a session cookie alone is refused at every API, even with a good origin', async () => {
    const ada = await member('owner')
    const headers = { cookie: ada.cookie() ?? '', origin: app.url, 'sec-fetch-site': 'same-origin' }

    const rest = await ask(`${app.url}/v1/pets`, { headers })
    const graphql = await ask(`${app.url}/graphql`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ caller { projectSlug } }' }),
    })
    const mcp = await ask(`${app.url}/mcp`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    })

    expect([rest.status, mcp.status]).toEqual([401, 401])
    expect(graphql.text).toContain('unauthorized')
  })

  it('a session cookie is refused as a bearer token, and a bearer token as a cookie', async () => {
    const ada = await member('owner')
    const [name, secret = ''] = (ada.cookie() ?? '').split('=')
    const token = await ada.token()

    expect((await ask(`${app.url}/v1/pets`, bearer(secret))).status).toBe(401)
    const swapped = await openBrowser(app.url).post('/session/token', {}, { cookie: `${name}=${token}` })
    expect(swapped.status).toBe(401)
  })

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another port of this host', { origin: 'http://127.0.0.1:1' }],
    ['a client with an empty Origin header', { origin: '' }],
    ['another origin of the same site', { 'sec-fetch-site': 'same-site' }],
    ['another site, although Origin names ours,', { 'sec-fetch-site': 'cross-site' }],
    ['an opaque origin', { origin: 'null' }],
  ])('a request with a session cookie from %s is refused', async (_, headers) => {
    const ada = await member('owner')

    const signInPaths = [
      '/session/invitation',
      '/session/passkey',
      '/session/passkey/options',
      '/session/issuer',
    ]
    for (const path of ['/session/token', '/session/end', '/session/export', ...signInPaths]) {
      const answer = await ada.post(path, { secret: await link() }, headers)
      expect([path, answer.status, codeOf(answer)]).toEqual([path, 403, 'foreign_origin'])
      expect(answer.headers['set-cookie']).toBeUndefined()
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    }
    expect((await ada.post('/session/token')).status).toBe(200)
  })

  it('two session cookies are refused, because one may be planted', async () => {
    const ada = await member('owner')
    const eve = await member('viewer')

    const answer = await ada.post('/session/token', {}, { cookie: `${eve.cookie()}; ${ada.cookie()}` })

    expect(answer.status).toBe(401)
  })

  it('a sign-in never reuses a session cookie that the browser already has: the new session gets a new cookie', async () => {
    const eve = await member('viewer')
    const browser = openBrowser(app.url)

    await browser.post(
      '/session/invitation',
      { secret: await link(), name: 'Ada' },
      { cookie: eve.cookie() ?? '' },
    )

    expect(browser.cookie()).not.toBe(eve.cookie())
  })

  it('a session cookie over HTTPS has the prefix __Host- and is Secure', async () => {
    const secure = await startApp({
      env: { PUBLIC_URL: 'https://store.example', TRUST_PROXY: '1' },
    })
    try {
      const { project } = await secure.makeProject()
      const { secret } = await invite(secure.tools.db, clock, project, { role: 'viewer', invitedBy: null })
      const send = (origin: string) =>
        openBrowser(secure.url).post(
          '/session/invitation',
          { secret, name: 'Ada' },
          { host: 'store.example', origin },
        )

      const refused = await send('http://store.example')
      const joined = await send('https://store.example')

      expect(refused.status).toBe(403)
      expect(joined.headers['set-cookie']?.[0]).toMatch(
        /^__Host-animal-store-session=ass_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000; Secure$/,
      )
    } finally {
      await secure.stop()
    }
  })
})

describe('a bearer token', () => {
  it('an access token has the rights of the role: a viewer reads, a developer writes', async () => {
    const [viewer, developer] = [await member('viewer'), await member('developer')]
    const pet = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Rex","categoryId":1}',
    }

    expect((await viewer.ask('/v1/pets')).status).toBe(200)
    const refused = await viewer.ask('/v1/pets', pet)
    expect([refused.status, refused.json]).toEqual([
      403,
      {
        ...{ code: 'insufficient_scope', status: 403 },
        message: 'The role viewer lacks the scope pets:write.',
      },
    ])
    expect((await developer.ask('/v1/pets', pet)).status).toBe(201)
  })

  it('an access token ends after ten minutes', async () => {
    const ada = await member('viewer')

    expect((await ada.ask('/v1/pets')).status).toBe(200)
    passedMs += 10 * 60 * 1000

    expect((await ada.ask('/v1/pets')).status).toBe(401)
    expect((await ask(`${app.url}/v1/pets`, bearer(await ada.token()))).status).toBe(200)
  })

  it('an access token opens one project, and the other projects of the person need tokens of their own', async () => {
    const other = await app.makeProject()
    await other.post('/v1/pets', { name: 'Of the other', categoryId: 1 })
    const ada = await member('viewer')
    await join(app.tools, other.project, 'viewer', { personId: ada.personId })

    expect((await ada.ask('/v1/pets')).text).not.toContain('Of the other')
    const stranger = await app.makeProject()
    const refused = await ada.post('/session/token', { project: stranger.project.slug })
    expect([refused.status, codeOf(refused)]).toEqual([404, 'project_not_found'])
  })

  it('a request with an access token uses up the budget of the person, so it still works when the project has reached its limit', async () => {
    const small = await app.makeProject({ plan: 'enterprise', perMinute: 1, perDay: 1000 })
    const ada = await signedIn(app.tools, app.url, small.project, 'viewer')
    await small.get('/v1/pets')
    expect((await small.get('/v1/pets')).status).toBe(429)

    const seen = await ada.ask('/v1/pets')

    expect([seen.status, seen.headers['x-ratelimit-limit']]).toEqual([200, '300'])
    expect(app.tools.usageCounter.backlog()).toBeGreaterThanOrEqual(0)
  })

  it('a project’s own host refuses the access token and the session of a person, and accepts an API key', async () => {
    const ada = await member('owner')
    await deploy(app.tools.db, app.tools.hosting, store.project, {})
    await app.tools.changes.read()
    const host = platformHostOf(store.project, app.tools.hosting.platformHost)
    const graphql = (authorization: object) => ({
      method: 'POST',
      headers: { host, 'content-type': 'application/json', ...authorization },
      body: '{"query":"{ pets(first: 1) { nodes { id } } }"}',
    })

    const person = await ada.ask('/v1/pets', { headers: { host } })
    const key = await store.get('/v1/pets', { host })
    const byGraphql = await ask(`${app.url}/graphql`, graphql(bearer(await ada.token()).headers))
    const atHost = await ada.post('/session/token', {}, { host, origin: `http://${host}` })

    expect([key.status, person.status]).toEqual([200, 401])
    expect(byGraphql.text).toContain('"code":"unauthorized"')
    expect([atHost.status, codeOf(atHost)]).toEqual([404, 'not_found'])
  })
})

describe('a session', () => {
  const opensFor = async (ada: { post: ReturnType<typeof openBrowser>['post'] }) =>
    (await ada.post('/session/token')).status

  it('a session ends when it is idle for a week, and after a month at the latest', async () => {
    const [idle, busy] = [await member('viewer'), await member('viewer')]

    passedMs += idleMs - 60_000
    expect(await opensFor(busy)).toBe(200)
    passedMs += 60_000
    expect([await opensFor(idle), await opensFor(busy)]).toEqual([401, 200])
    for (let passed = idleMs; passed < longestMs - 1; passed += idleMs / 2) {
      expect(await opensFor(busy)).toBe(200)
      passedMs += idleMs / 2
    }
    expect(await opensFor(busy)).toBe(401)
  })

  it('a session is listed with its device, and ending the session ends its tokens', async () => {
    const ada = await member('viewer')
    const [session] = await listSessions(app.tools.db, clock, ada.personId)
    expect(session).toMatchObject({ device: 'Firefox on Linux' })
    expect((await ada.ask('/v1/pets')).status).toBe(200)

    await endSession(app.tools.db, ada.personId, session?.id ?? '')
    await app.tools.changes.read()

    expect((await ada.ask('/v1/pets')).status).toBe(401)
    expect(await opensFor(ada)).toBe(401)
  })

  it('a session of another person cannot be ended', async () => {
    const [ada, eve] = [await member('owner'), await member('owner')]
    const [session] = await listSessions(app.tools.db, clock, ada.personId)

    await expect(endSession(app.tools.db, eve.personId, session?.id ?? '')).rejects.toMatchObject({
      code: 'session_not_found',
    })
    expect(await opensFor(ada)).toBe(200)
  })

  it('signing out ends the session and removes the cookie', async () => {
    const ada = await member('viewer')
    const before = ada.cookie()

    const out = await ada.post('/session/end', {}, bearer(await ada.token()).headers)

    expect([out.status, ada.cookie()]).toEqual([200, null])
    expect((await ada.post('/session/token', {}, { cookie: before ?? '' })).status).toBe(401)
  })

  it('signing out with a token that ended with the membership removes the cookie', async () => {
    const other = await app.makeProject()
    const ada = await member('viewer')
    await join(app.tools, other.project, 'viewer', { personId: ada.personId })
    const token = await ada.token(store.project.slug)
    await removeMember(app.tools.db, clock, store.project, ada.personId)
    await app.tools.changes.read()

    const out = await ada.post('/session/end', { ask: true }, bearer(token).headers)

    expect([out.status, ada.cookie()]).toEqual([401, null])
  })

  it('a person can export everything that the service stores about them, and nothing about others', async () => {
    const [ada, eve] = [await member('viewer'), await member('owner')]

    const { status, json } = await ada.post('/session/export', {}, bearer(await ada.token()).headers)

    expect([status, (json as { id: string }).id]).toEqual([200, ada.personId])
    expect(json).toMatchObject({ memberships: [{ role: 'viewer' }], passkeys: [], apiKeys: [] })
    expect((json as { sessions: object[] }).sessions).toHaveLength(1)
    expect(JSON.stringify(json)).not.toContain(eve.personId)
    expect(JSON.stringify(json)).not.toMatch(/as[asi]_|hash|secret/i)
    expect((await ada.post('/session/export', {})).status).toBe(401)
  })

  it('a person’s export lists each project that removed the person, with the hash of the person’s identity that the project keeps', async () => {
    const { db } = app.tools
    const other = await app.makeProject()
    await join(app.tools, store.project, 'owner')
    const ada = await member('viewer')
    const identity = { issuer: 'https://id.acme.example', subject: 'ada' }
    await db.person.update({ where: { id: ada.personId }, data: identity })
    await join(app.tools, other.project, 'viewer', { personId: ada.personId })
    await removeMember(db, clock, store.project, ada.personId)
    const token = await ada.token(other.project.slug)

    const { json } = await ada.post('/session/export', {}, bearer(token).headers)

    const identityHash = createHash('sha256').update('https://id.acme.example\nada').digest('hex')
    const former = [{ identityHash, project: { slug: store.project.slug } }]
    expect(json).toMatchObject({ issuer: identity.issuer, formerMemberships: former })
    const eve = await member('viewer')
    const { json: ofEve } = await eve.post('/session/export', {}, bearer(await eve.token()).headers)
    expect(ofEve).toMatchObject({ formerMemberships: [] })
  })

  it('a session is stored without its secret', async () => {
    const ada = await member('viewer')
    const token = await ada.token()
    const secret = ada.cookie()?.split('=')[1] ?? 'none'

    const stored = JSON.stringify(
      await Promise.all([app.tools.db.session.findMany(), app.tools.db.accessToken.findMany()]),
      (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value),
    )

    expect(stored).not.toContain(secret)
    expect(stored).not.toContain(token)
  })

  it('a session is deleted some time after its end', async () => {
    await member('viewer')
    passedMs += longestMs

    await forgetEnded(app.tools.db, new Date(clock.now()))

    const { session, accessToken, invitation } = app.tools.db
    expect(await Promise.all([session.count(), accessToken.count(), invitation.count()])).toEqual([0, 0, 0])
  })
})

describe('a member', () => {
  it('a member who gets another role has the scopes of the new role at once', async () => {
    const ada = await member('developer')
    const { db } = app.tools
    expect((await ada.ask('/v1/store/inventory')).status).toBe(200)

    await setRole(db, store.project, ada.personId, 'viewer')
    await app.tools.changes.read()

    const refused = await ada.ask('/v1/pets/1', { method: 'DELETE' })
    expect(codeOf(refused)).toBe('insufficient_scope')
  })

  it('a person removed from one project loses access to it at once, and stays a member of another project', async () => {
    const other = await app.makeProject()
    const ada = await member('viewer')
    await join(app.tools, other.project, 'viewer', { personId: ada.personId })
    await member('owner')
    expect((await ada.ask('/v1/pets')).status).toBe(200)

    await removeMember(app.tools.db, clock, store.project, ada.personId)
    await app.tools.changes.read()

    expect((await ada.ask('/v1/pets')).status).toBe(401)
    expect((await ada.post('/session/token', { project: store.project.slug })).status).toBe(404)
    expect((await ada.post('/session/token')).json).toMatchObject({ project: other.project.slug })
  })
})
