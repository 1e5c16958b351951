import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { invite, inviteFirstOwner } from '../../src/core/people/invitations.ts'
import { listMembers } from '../../src/core/people/members.ts'
import { canSignIn } from '../../src/core/people/people.ts'
import { rereadSecrets } from '../../src/reread-secrets.ts'
import { signInAtIssuer, startIssuer } from '../support/issuer.ts'
import { openBrowser, type TestBrowser } from '../support/people.ts'
import { freePort } from '../support/programs.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
let issuer: Awaited<ReturnType<typeof startIssuer>>
const accounts = {
  ghost: { name: '\u200b' },
  ada: { name: 'Ada', email: 'ada@acme.test', email_verified: true },
  'another-ada': { name: 'Ada', email: 'ada@acme.test', email_verified: true },
  'unverified-ada': { name: 'Ada', email: 'ada@acme.test', email_verified: false },
  bob: { name: 'bob@acme.test', email: 'bob@acme.test', email_verified: false },
  mara: { name: 'Mara' },
  eve: { name: 'Eve', email: 'eve@evil.test', email_verified: true },
}
beforeAll(async () => {
  issuer = await startIssuer(accounts, await freePort())
  app = await startApp({ env: issuer.env })
  store = await app.makeProject()
})
afterAll(async () => {
  await app.stop()
  issuer.close()
})

async function link(
  role: 'viewer' | 'developer' | 'owner' = 'developer',
  { project } = store,
): Promise<string> {
  return (await invite(app.tools.db, app.tools.clock, project, { role, invitedBy: null })).secret
}

async function start(browser: TestBrowser, body: object = {}): Promise<string> {
  const answer = await browser.post('/session/issuer', body)
  if (answer.status !== 200) throw new Error(answer.text)
  return (answer.json as { url: string }).url
}

/** Signs in at the issuer, and returns the URL to which the service then sends the browser. */
async function signIn(browser: TestBrowser, subject: string, body: object = {}): Promise<string | undefined> {
  const back = await signInAtIssuer(await start(browser, body), subject)
  return (await browser.visit(back)).headers.location
}

const home = () => `${app.url}/dashboard/#signed-in`
const refused = (reason: string, page = '') => `${app.url}/dashboard/${page}#refused:${reason}`

it('an invited person joins by the identity provider, and signs in there again without an invitation', async () => {
  const browser = openBrowser(app.url)

  expect(await signIn(browser, 'ada', { invitation: await link() })).toBe(home())
  expect(await browser.token()).toMatch(/^asa_/)
  const again = openBrowser(app.url)
  expect(await signIn(again, 'ada')).toBe(home())
  expect(await again.token()).toMatch(/^asa_/)

  const people = await app.tools.db.person.findMany({ where: { subject: 'ada' } })
  expect(people).toMatchObject([{ name: 'Ada', issuer: issuer.url }])
})

it.each(['another-ada', 'unverified-ada'])(
  'a person without an invitation cannot sign in, even with the address of a member: %s',
  async subject => {
    const browser = openBrowser(app.url)

    expect(await signIn(browser, subject)).toBe(refused('stranger'))

    expect(browser.cookie()).toBeNull()
    expect(await app.tools.db.person.count({ where: { subject } })).toBe(0)
  },
)

it('two accounts with one e-mail address are two people', async () => {
  const { project } = await app.makeProject()
  await signIn(openBrowser(app.url), 'ada', { invitation: await link('owner', { ...store, project }) })
  await signIn(openBrowser(app.url), 'another-ada', {
    invitation: await link('viewer', { ...store, project }),
  })

  const members = await listMembers(app.tools.db, project)
  expect(members.map(({ person, role }) => [person.name, role])).toEqual([
    ['Ada', 'owner'],
    ['Ada', 'viewer'],
  ])
  expect(members[0]?.personId).not.toBe(members[1]?.personId)
})

it.each([
  ['that is an e-mail address', 'bob'],
  ['without a visible character', 'ghost'],
])('a name %s is not shown to other members', async (_, subject) => {
  await signIn(openBrowser(app.url), subject, { invitation: await link() })

  expect(await app.tools.db.person.findMany({ where: { subject } })).toMatchObject([{ name: 'A new member' }])
})

it('the answer of the issuer works once: neither state nor code can be replayed', async () => {
  const browser = openBrowser(app.url)
  const back = await signInAtIssuer(await start(browser), 'ada')
  expect((await browser.visit(back)).headers.location).toBe(home())

  const replayed = openBrowser(app.url)
  expect((await replayed.visit(back)).headers.location).toBe(refused('expired'))
  expect(replayed.cookie()).toBeNull()

  // Send the used code again, but with the state of another browser's own sign-in.
  const other = openBrowser(app.url)
  const own = new URL(await start(other))
  const forged = new URL(back)
  forged.searchParams.set('state', own.searchParams.get('state') ?? '')
  expect((await other.visit(forged.href)).headers.location).toBe(refused('refused'))
  expect(other.cookie()).toBeNull()
})

it('a state that was used already is refused, even with its cookie', async () => {
  const browser = openBrowser(app.url)
  const back = await signInAtIssuer(await start(browser), 'ada')
  await app.tools.db.challenge.deleteMany({ where: { purpose: 'sign-in at the issuer' } })

  expect((await browser.visit(back)).headers.location).toBe(refused('expired'))
})

it('a sign-in that another browser began is refused', async () => {
  const [attacker, victim] = [openBrowser(app.url), openBrowser(app.url)]
  const back = await signInAtIssuer(await start(attacker), 'eve')

  expect((await victim.visit(back)).headers.location).toBe(refused('expired'))
  expect(victim.cookie()).toBeNull()

  // The victim has begun a sign-in too.
  await start(victim)
  expect((await victim.visit(back)).headers.location).toBe(refused('expired'))
  expect(victim.cookie()).toBeNull()
})

it('an answer of the issuer with the nonce of another sign-in is refused', async () => {
  const browser = openBrowser(app.url)
  const url = new URL(await start(browser))
  url.searchParams.set('nonce', 'of-another-sign-in')

  const back = await signInAtIssuer(url.href, 'ada')

  expect((await browser.visit(back)).headers.location).toBe(refused('refused'))
})

it('each sign-in gives the session a new secret, whatever cookie the browser had', async () => {
  const browser = openBrowser(app.url)
  await signIn(browser, 'ada')
  const before = browser.cookie()

  await signIn(browser, 'ada')

  expect(browser.cookie()).not.toBe(before)
})

it.each([
  ...[
    'https://evil.test/dashboard/',
    '//evil.test/dashboard/',
    '/\\evil.test/dashboard/',
    'javascript:alert(1)',
  ],
  ...['/dashboard/../v1', '/dashboardx', '/\t/evil.test/dashboard/', 'http://127.0.0.1:1/dashboard/', 7, {}],
])('a sign-in that should return to %j is refused', async returnTo => {
  const { status, json } = await openBrowser(app.url).post('/session/issuer', { returnTo })

  expect([status, json]).toMatchObject([400, { code: 'invalid_input' }])
})

it('a sign-in returns to the page of the dashboard on which it began', async () => {
  const place = await signIn(openBrowser(app.url), 'ada', { returnTo: '/dashboard/keys?q=1' })

  expect(place).toBe(`${app.url}/dashboard/keys?q=1#signed-in`)
})

it('signing out leads to the identity provider if the session began there', async () => {
  const browser = openBrowser(app.url)
  await signIn(browser, 'ada')
  const bearer = { authorization: `Bearer ${await browser.token()}` }

  const { json } = await browser.post('/session/end', {}, bearer)

  const url = new URL((json as { signOutAt: string }).signOutAt)
  expect(url.origin).toBe(issuer.url)
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: issuer.env.OIDC_CLIENT_ID,
    post_logout_redirect_uri: `${app.url}/dashboard/`,
  })
  expect(browser.cookie()).toBeNull()
})

it('an account at an identity provider that is no longer configured is no way to sign in', async () => {
  const { project } = await app.makeProject()
  await signIn(openBrowser(app.url), 'mara', { invitation: await link('owner', { ...store, project }) })
  const { db, clock } = app.tools
  const { id } = await db.person.findFirstOrThrow({ where: { subject: 'mara' } })
  const waysAt = async (configured: string | null) => ({
    canSignIn: await canSignIn(db, id, configured),
    isOwned: (await inviteFirstOwner(db, clock, project.slug, configured)) === null,
  })

  for (const configured of [issuer.url, `${issuer.url}/`])
    expect(await waysAt(configured)).toEqual({ canSignIn: true, isOwned: true })
  for (const configured of [null, 'https://other.example'])
    expect(await waysAt(configured)).toEqual({ canSignIn: false, isOwned: false })
})

it('pages of other sites and used invitations cannot begin a sign-in at the identity provider', async () => {
  const invitation = await link()
  await signIn(openBrowser(app.url), 'eve', { invitation })

  const foreign = await openBrowser(app.url).post('/session/issuer', {}, { origin: 'https://evil.test' })
  const used = await openBrowser(app.url).post('/session/issuer', { invitation })

  expect([foreign.status, used.status]).toEqual([403, 404])
})

it('an invitation that somebody else uses during a sign-in at the provider lets only one person in', async () => {
  const invitation = await link()
  const browser = openBrowser(app.url)
  const back = await signInAtIssuer(await start(browser, { invitation }), 'another-ada')
  await openBrowser(app.url).post('/session/invitation', { secret: invitation, name: 'Carl' })

  expect((await browser.visit(back)).headers.location).toBe(refused('invitation_not_found', 'invitation'))
  expect(browser.cookie()).toBeNull()
})

it('the sign-in page gets only the host name of the identity provider from the service, and no other setting of the provider', async () => {
  const { json } = await openBrowser(app.url).post('/session/issuer/show')

  expect(json).toEqual({ host: new URL(issuer.url).host })
})

it('a sign-in gets a 503 while the issuer does not answer, and the service continues to run', async () => {
  const port = await freePort()
  const away = await startIssuer(accounts, port)
  away.close()
  const other = await startApp({ env: away.env })
  onTestFinished(() => other.stop())

  const { status, json } = await openBrowser(other.url).post('/session/issuer')

  expect([status, json]).toMatchObject([503, { code: 'unavailable' }])
  expect((await openBrowser(other.url).visit(`${other.url}/livez`)).status).toBe(200)
})

it('SIGHUP reads the file of OIDC_CLIENT_SECRET again: sign-ins fail with the old secret and succeed with the new one', async () => {
  const own = await startIssuer(accounts, await freePort())
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-issuer-'))
  const file = join(folder, 'client-secret')
  writeFileSync(file, 'the secret of last year')
  const { OIDC_CLIENT_SECRET, ...env } = own.env
  const other = await startApp({ env: { ...env, OIDC_CLIENT_SECRET_FILE: file } })
  onTestFinished(async () => {
    await other.stop()
    own.close()
    rmSync(folder, { recursive: true })
  })
  const { db, clock } = other.tools
  const { project } = await other.makeProject()
  const { secret: invitation } = await invite(db, clock, project, { role: 'owner', invitedBy: null })
  const enter = () => signIn(openBrowser(other.url), 'ada', { invitation })
  expect(await enter()).toBe(`${other.url}/dashboard/invitation#refused:refused`)

  writeFileSync(file, OIDC_CLIENT_SECRET)
  rereadSecrets(other.tools)

  expect(await enter()).toBe(`${other.url}/dashboard/#signed-in`)
})

it('without a configured issuer, the sign-in routes of the identity provider answer 404', async () => {
  const other = await startApp()
  onTestFinished(() => other.stop())
  const browser = openBrowser(other.url)

  const [shown, begun] = [await browser.post('/session/issuer/show'), await browser.post('/session/issuer')]
  const back = await browser.visit(`${other.url}/session/issuer/callback?code=a&state=b`)

  expect([shown.json, begun.status, back.status]).toEqual([{ host: null }, 404, 404])
})
