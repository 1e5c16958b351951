import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { renameApiKey, revokeApiKey, rotateApiKey } from '../../src/core/keys/api-keys.ts'
import { scopesOfRole } from '../../src/core/keys/roles.ts'
import { mostActive } from '../../src/core/keys/room.ts'
import { askForCode as askCore } from '../../src/core/people/device-codes.ts'
import { removeMember, setRole } from '../../src/core/people/members.ts'
import { deletePerson } from '../../src/core/people/people.ts'
import { forgetEnded } from '../../src/core/people/sessions.ts'
import { anonymousCharge } from '../../src/core/projects/limits.ts'
import type { ApiKey } from '../../src/generated/prisma/client.ts'
import { ask } from '../support/ask.ts'
import { movableClock } from '../support/clock.ts'
import { type Asked, askForCode, pollForKey, postForm } from '../support/device-login.ts'
import { fillKeys } from '../support/fill-keys.ts'
import { codesOf, sendGraphql } from '../support/graphql.ts'
import { join, type SignedIn, signedIn } from '../support/people.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const clock = movableClock()
let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp({ clock })
  store = await app.makeProject()
  await join(app.tools, store.project, 'owner', { name: 'The owner' })
})
afterAll(() => app?.stop())
beforeEach(async () => {
  const { subject, windows } = anonymousCharge('127.0.0.1')
  await app.tools.limiter.delete(subject, { windows })
})

const member = (role: 'viewer' | 'developer' | 'owner', name = 'Ada') =>
  signedIn(app.tools, app.url, store.project, role, name)
const bearer = async (person: SignedIn) => ({ authorization: `Bearer ${await person.token()}` })
const decide = async (
  person: SignedIn,
  what: 'approve' | 'deny' | 'show',
  { user_code }: Asked,
  slug?: string,
) =>
  person.post(
    `/session/device/${what}`,
    { userCode: user_code, project: slug ?? store.project.slug },
    await bearer(person),
  )
const codeOf = ({ json }: { json: unknown }) => (json as { code?: string }).code
const keysOf = (personId: string) =>
  app.tools.db.apiKey.findMany({ where: { issuedBy: personId }, orderBy: { createdAt: 'asc' } })

describe('a terminal that signs in', () => {
  it('an approved terminal gets one key with the names of the person and the machine, the scopes of the role and an expiry', async () => {
    const ada = await member('viewer')
    const asked = await askForCode(app.url)
    expect(asked).toMatchObject({
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${app.tools.config.publicUrl}/dashboard/device`,
      verification_uri_complete: `${app.tools.config.publicUrl}/dashboard/device?user_code=${asked.user_code}`,
      ...{ expires_in: 600, interval: 5 },
    })
    expect(await pollForKey(app.url, asked)).toMatchObject({ error: 'authorization_pending' })

    const shown = await decide(ada, 'show', asked)
    const approved = await decide(ada, 'approve', asked)
    const collected = await pollForKey(app.url, asked)

    expect(shown.json).toMatchObject({
      ...{ machine: 'laptop', address: '127.0.0.1' },
      projects: [{ slug: store.project.slug, role: 'viewer', scopes: scopesOfRole.viewer }],
    })
    expect(approved.status).toBe(200)
    expect(collected).toMatchObject({
      project: store.project.slug,
      name: 'Ada on laptop',
      token_type: 'Bearer',
    })
    const [key, ...more] = await keysOf(ada.personId)
    expect(more).toEqual([])
    expect(key).toMatchObject({ name: 'Ada on laptop', scopes: scopesOfRole.viewer })
    const lasts = (key?.expiresAt?.getTime() ?? 0) - (key?.createdAt.getTime() ?? 0)
    expect(Math.round(lasts / 60_000)).toBe(90 * 24 * 60)
    const headers = { authorization: `Bearer ${collected.access_token}` }
    expect((await ask(`${app.url}/v1/pets`, { headers })).status).toBe(200)
    expect(await pollForKey(app.url, asked)).toMatchObject({ error: 'expired_token' })
    expect(await app.tools.db.deviceCode.count()).toBe(0)
  })

  it('the audit log names the person who approved as the issuer of the key', async () => {
    const ada = await member('developer', 'Grace')
    const asked = await askForCode(app.url)
    await decide(ada, 'approve', asked)
    await pollForKey(app.url, asked)

    const [key] = await keysOf(ada.personId)
    const rows = await app.tools.db.$queryRaw<{ actor: object }[]>`
      SELECT actor FROM told WHERE subject = ${`api_key:${key?.id}`} AND type = 'api_key.issued'
      UNION ALL SELECT actor FROM events WHERE subject = ${`api_key:${key?.id}`} AND type = 'api_key.issued'`
    expect(rows).toEqual([{ actor: { type: 'person', id: ada.personId, name: 'Grace' } }])
  })

  it('a denied terminal gets no key', async () => {
    const ada = await member('developer')
    const asked = await askForCode(app.url)

    expect((await decide(ada, 'deny', asked)).status).toBe(200)

    expect(await pollForKey(app.url, asked)).toMatchObject({ error: 'access_denied' })
    expect(codeOf(await decide(ada, 'approve', asked))).toBe('device_code_not_found')
    expect(await keysOf(ada.personId)).toEqual([])
  })

  it('a device code ends after ten minutes, even if it was approved before', async () => {
    const ada = await member('developer')
    const [open, approved] = [await askForCode(app.url), await askForCode(app.url)]
    await decide(ada, 'approve', approved)

    clock.advance(10 * 60 * 1000)

    expect(codeOf(await decide(ada, 'approve', open))).toBe('device_code_not_found')
    expect(await pollForKey(app.url, open)).toMatchObject({ error: 'expired_token' })
    expect(await pollForKey(app.url, approved)).toMatchObject({ error: 'expired_token' })
    expect(await keysOf(ada.personId)).toEqual([])
    await forgetEnded(app.tools.db, new Date(clock.now()))
    expect(await app.tools.db.deviceCode.count()).toBe(0)
  })

  it('if two people approve a code at once, one approval succeeds, and only one of many polls gets a key', async () => {
    const people = await Promise.all([member('developer'), member('viewer', 'Bob')])
    const asked = await askForCode(app.url)

    const approved = await Promise.all(people.map(person => decide(person, 'approve', asked)))
    const polls = await Promise.all(Array.from({ length: 5 }, () => pollForKey(app.url, asked)))

    expect(approved.map(({ status }) => status).sort()).toEqual([200, 404])
    expect(polls.filter(({ access_token }) => access_token)).toHaveLength(1)
    const keys = await Promise.all(people.map(({ personId }) => keysOf(personId)))
    expect(keys.flat()).toHaveLength(1)
  })

  it('a terminal that polls too often must wait longer', async () => {
    const asked = await askForCode(app.url)
    const outcomes: (string | undefined)[] = []
    for (const seconds of [0, 1, 6, 15]) {
      clock.advance(seconds * 1000)
      outcomes.push((await pollForKey(app.url, asked)).error)
    }

    // The required interval between two polls is 5 seconds at first. Each poll that comes too early adds 5 seconds to
    // the interval.
    expect(outcomes).toEqual(['authorization_pending', 'slow_down', 'slow_down', 'authorization_pending'])
  })
})

it('a person has at most 20 working terminal keys in a project, and one more ends the oldest', async () => {
  const ada = await member('viewer')
  const until = new Date(clock.now() + 86_400_000)
  await fillKeys(app.tools.db, store.project, 20, {
    machine: 'laptop',
    issuedBy: ada.personId,
    expiresAt: until,
  })
  const asked = await askForCode(app.url)
  await decide(ada, 'approve', asked)

  expect(await pollForKey(app.url, asked)).toMatchObject({ token_type: 'Bearer' })

  const keys = await keysOf(ada.personId)
  expect(keys.map(({ revokedAt }) => revokedAt !== null).toSorted()).toEqual([...Array(20).fill(false), true])
})

it('a standard OAuth client library signs in by the device flow', async () => {
  const ada = await member('developer')
  const {
    allowInsecureRequests,
    Configuration,
    initiateDeviceAuthorization,
    None,
    pollDeviceAuthorizationGrant,
  } = await import('openid-client')
  const server = {
    issuer: app.url,
    device_authorization_endpoint: `${app.url}/session/device`,
    token_endpoint: `${app.url}/session/device/token`,
  }
  const configuration = new Configuration(server, 'another-client', undefined, None())
  allowInsecureRequests(configuration)

  const asked = await initiateDeviceAuthorization(configuration, { machine: 'another machine' })
  const collecting = pollDeviceAuthorizationGrant(configuration, asked)
  await decide(ada, 'approve', { ...asked } as Asked)

  expect(await collecting).toMatchObject({
    access_token: expect.stringMatching(/^as_/),
    token_type: 'bearer',
  })
  expect(await keysOf(ada.personId)).toMatchObject([{ name: 'Ada on another machine' }])
}, 60_000)

describe('who may approve a terminal', () => {
  it('a member of another project cannot approve a terminal for this project, and three failed tries end the code', async () => {
    const other = await app.makeProject()
    await join(app.tools, other.project, 'owner')
    const eve = await signedIn(app.tools, app.url, other.project, 'owner', 'Eve')
    const asked = await askForCode(app.url)

    const answers = []
    for (let i = 0; i < 4; i++) answers.push(codeOf(await decide(eve, 'approve', asked)))

    expect(answers).toEqual([...Array(3).fill('project_not_found'), 'device_code_not_found'])
    expect(await pollForKey(app.url, asked)).toMatchObject({ error: 'expired_token' })
    expect(await keysOf(eve.personId)).toEqual([])
  })

  it('only an access token of a person can see, approve or deny a device code', async () => {
    const ada = await member('owner')
    const asked = await askForCode(app.url)
    const body = { userCode: asked.user_code, project: store.project.slug }
    for (const what of ['show', 'approve', 'deny', 'keys', 'keys/end']) {
      const lacking: Record<string, string>[] = [{}, { authorization: `Bearer ${store.secret}` }]
      for (const headers of lacking)
        expect([what, (await ada.post(`/session/device/${what}`, body, headers)).status]).toEqual([what, 401])
      const foreign = { ...(await bearer(ada)), origin: 'https://evil.example' }
      expect(codeOf(await ada.post(`/session/device/${what}`, body, foreign))).toBe('foreign_origin')
    }

    expect(await pollForKey(app.url, asked)).toMatchObject({ error: 'authorization_pending' })
  })

  it('a terminal gets no key if its approver was removed, and the scopes of the lower role if the approver’s role was changed', async () => {
    const [gone, lowered, raised] = await Promise.all([
      member('developer', 'Gone'),
      member('developer', 'Lowered'),
      member('viewer', 'Raised'),
    ])
    const asked = await Promise.all([1, 2, 3].map(() => askForCode(app.url)))
    for (const [i, person] of [gone, lowered, raised].entries())
      await decide(person, 'approve', asked[i] as Asked)
    const { db } = app.tools

    await removeMember(db, clock, store.project, gone.personId)
    await setRole(db, store.project, lowered.personId, 'viewer')
    await setRole(db, store.project, raised.personId, 'developer')
    const answers = []
    for (const one of asked) answers.push(await pollForKey(app.url, one))

    expect(answers[0]).toMatchObject({ error: 'expired_token' })
    expect(await keysOf(gone.personId)).toEqual([])
    expect(await keysOf(lowered.personId)).toMatchObject([{ scopes: scopesOfRole.viewer }])
    expect(await keysOf(raised.personId)).toMatchObject([{ scopes: scopesOfRole.viewer }])
  })

  it('a device code for a suspended project cannot be approved', async () => {
    const other = await app.makeProject()
    const ada = await signedIn(app.tools, app.url, other.project, 'owner')
    const asked = await askForCode(app.url)
    const headers = await bearer(ada)
    await app.tools.db.project.update({ where: { id: other.project.id }, data: { suspendedAt: new Date() } })

    const body = { userCode: asked.user_code, project: other.project.slug }
    expect(codeOf(await ada.post('/session/device/approve', body, headers))).toBe('project_suspended')

    expect(await pollForKey(app.url, asked)).toMatchObject({ error: 'authorization_pending' })
  })

  it('a person can type five wrong codes in ten minutes, and any number of right ones', async () => {
    const ada = await member('developer')
    const asked = await askForCode(app.url)
    const headers = await bearer(ada)
    const show = (userCode: string) => ada.post('/session/device/show', { userCode }, headers)
    for (let i = 0; i < 8; i++)
      expect((await show(asked.user_code.toLowerCase().replace('-', ' '))).status).toBe(200)

    const guesses = []
    for (let i = 0; i < 7; i++) guesses.push((await show('BBBB-BBBB')).status)

    expect(guesses).toEqual([404, 404, 404, 404, 404, 429, 429])
    expect((await show(asked.user_code)).status).toBe(429)
    const bob = await member('viewer', 'Bob')
    expect((await decide(bob, 'show', asked)).status).toBe(200)
  })
})

describe('the endpoints for terminals', () => {
  it('the requests of a terminal are charged to its address like other anonymous requests', async () => {
    const { subject, windows } = anonymousCharge('127.0.0.1')
    const asked = await askForCode(app.url)
    await pollForKey(app.url, asked)
    expect((await app.tools.limiter.get(subject, { windows })).windows).toMatchObject([{ remaining: 58 }])

    await app.tools.limiter.penalty(subject, 58, { windows })
    const refused = await Promise.all([
      postForm(`${app.url}/session/device`, { machine: 'laptop' }),
      postForm(`${app.url}/session/device/token`, { device_code: asked.device_code }),
    ])

    expect(refused.map(({ status }) => status)).toEqual([429, 429])
    expect(await app.tools.db.deviceCode.count({ where: { machine: 'laptop' } })).toBeGreaterThan(0)
  })

  it('a request from a browser page gets no code, so that a website cannot start a sign-in as its visitor', async () => {
    const asPage: Record<string, string>[] = [
      { origin: app.url },
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-origin' },
    ]
    for (const headers of asPage)
      expect(codeOf(await postForm(`${app.url}/session/device`, { machine: 'x' }, headers))).toBe(
        'foreign_origin',
      )
  })

  it('malformed requests of the device sign-in are refused', async () => {
    const to = (path: string, fields: Record<string, string>, headers = {}) =>
      postForm(`${app.url}/session/device${path}`, fields, headers)
    const asked = await askForCode(app.url)
    const control = await to('', { machine: 'a\u001b[2Jb' })
    const long = await to('', { machine: 'x'.repeat(61) })
    const json = await to('', {}, { 'content-type': 'application/json' })
    const large = await to('', { machine: 'x'.repeat(3_000) })
    const grant = await to('/token', { device_code: asked.device_code })
    const twice = await ask(`${app.url}/session/device`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'machine=a&machine=b',
    })

    expect([control, long, json, large, twice].map(codeOf)).toEqual([
      ...['invalid_input', 'invalid_input', 'unsupported_media_type', 'body_too_large', 'malformed_request'],
    ])
    expect([grant.status, grant.json]).toMatchObject([400, { error: 'unsupported_grant_type' }])
    expect((await ask(`${app.url}/session/device`)).status).toBe(405)
  })

  it('a terminal gets no key and a sentence if the project has as many active keys as it may have', async () => {
    const own = await app.makeProject()
    const ada = await signedIn(app.tools, app.url, own.project, 'owner', 'Ada')
    await fillKeys(app.tools.db, own.project, mostActive - 1)
    const asked = await askForCode(app.url)
    await decide(ada, 'approve', asked, own.project.slug)

    const refused = await pollForKey(app.url, asked)
    await revokeApiKey(app.tools.db, clock, own.project, own.keyId)
    const collected = await pollForKey(app.url, asked)

    const message = 'A project has at most 1,000 active API keys; revoke one first.'
    expect(refused).toEqual({ code: 'too_many_api_keys', message, status: 409 })
    expect(collected).toMatchObject({ project: own.project.slug })
  })
})

describe('the keys of terminals', () => {
  async function signInTerminal(person: SignedIn, machine = 'laptop') {
    const asked = await askForCode(app.url, machine)
    await decide(person, 'approve', asked)
    return (await pollForKey(app.url, asked)).access_token ?? ''
  }

  it('any member lists and ends the keys of the member’s own terminals, and not those of other members', async () => {
    const [ada, bob] = [await member('viewer'), await member('owner', 'Bob')]
    const secret = await signInTerminal(ada)
    const list = async (person: SignedIn) =>
      (
        (await person.post('/session/device/keys', {}, await bearer(person))).json as {
          keys: { id: string }[]
        }
      ).keys
    const [key] = await list(ada)
    expect(await list(ada)).toMatchObject([
      { machine: 'laptop', prefix: secret.slice(0, 11), project: { slug: store.project.slug } },
    ])
    expect(await list(bob)).toEqual([])
    const end = async (person: SignedIn) =>
      person.post('/session/device/keys/end', { id: key?.id }, await bearer(person))

    expect(codeOf(await end(bob))).toBe('api_key_not_found')
    expect((await end(ada)).status).toBe(200)

    expect(await list(ada)).toEqual([])
    const headers = { authorization: `Bearer ${secret}` }
    await expect
      .poll(async () => (await ask(`${app.url}/v1/pets`, { headers })).status, { timeout: 20_000 })
      .toBe(401)
  })

  it('a terminal can end its own key whatever the scopes of the key, and a key of another kind cannot end itself', async () => {
    const ada = await member('viewer')
    const secret = await signInTerminal(ada)
    const end = (key: string) =>
      postForm(`${app.url}/session/device/end`, {}, { authorization: `Bearer ${key}` })

    expect((await end(store.secret)).json).toEqual({ ended: false })
    expect((await end(secret)).json).toEqual({ ended: true })
    expect((await end('as_wrong')).status).toBe(401)

    expect(await keysOf(ada.personId)).toMatchObject([{ revokedAt: expect.any(Date) }])
    expect((await store.get('/v1/pets')).status).toBe(200)
  })

  it('removing a member returns a list of the member’s terminal keys', async () => {
    const ada = await member('developer')
    await signInTerminal(ada)

    const { keys } = await removeMember(app.tools.db, clock, store.project, ada.personId)

    expect(keys).toMatchObject([{ name: 'Ada on laptop' }])
  })

  it('deleting a person removes the name from the person’s terminal keys and from audit entries about or by these keys', async () => {
    const ada = await member('developer', 'Zebulon')
    const secret = await signInTerminal(ada, 'desk')
    const issue = 'mutation { apiKeyIssue(input: { name: "x", scopes: [pets_read] }) { secret } }'
    const issued = await ask(`${app.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: issue }),
    })
    expect(issued.text).toContain('as_')
    const { db } = app.tools
    expect(await countRowsWith('Zebulon')).toBeGreaterThan(2)

    await deletePerson(db, ada.personId)

    expect(await countRowsWith('Zebulon')).toBe(0)
    expect(await keysOf(ada.personId)).toMatchObject([{ name: 'Deleted person on desk' }, { name: 'x' }])
  })

  it('the name of a deleted person is also removed from keys that other members made by rotating the person’s terminal keys', async () => {
    const ada = await member('developer', 'Hildegard')
    const bob = await member('developer', 'Bob')
    for (const machine of ['desk', 'tower', 'till']) await signInTerminal(ada, machine)
    const [desk, tower, till] = (await keysOf(ada.personId)) as [ApiKey, ApiKey, ApiKey]
    const second = await rotate(desk, bob)
    const third = await rotate(second, bob)
    await rename(desk, 'The first one')
    await rename(tower, 'Box of Hildegard')
    const box = await rotate(tower, bob)
    const server = await rotate(till, bob)
    await rename(server, 'Build server')

    await deletePerson(app.tools.db, ada.personId)

    expect(await countRowsWith('Hildegard')).toBe(0)
    const [onDesk, onTower, onTill] = ['desk', 'tower', 'till'].map(machine => `Deleted person on ${machine}`)
    expect(await Promise.all([desk, second, third].map(nameOf))).toEqual([onDesk, onDesk, onDesk])
    expect(await Promise.all([tower, box].map(nameOf))).toEqual([onTower, onTower])
    expect(await Promise.all([till, server].map(nameOf))).toEqual([onTill, 'Build server'])
  })

  it('a terminal key keeps the name of its person after the member who rotated the key is deleted', async () => {
    const [ada, bob] = [await member('developer'), await member('developer', 'Bob')]
    await signInTerminal(ada, 'desk')
    const [key] = (await keysOf(ada.personId)) as [ApiKey]
    const rotated = await rotate(key, bob)

    await deletePerson(app.tools.db, bob.personId)

    expect(await nameOf(rotated)).toBe('Ada on desk')
  })

  const rotate = async ({ id }: ApiKey, person: SignedIn) => {
    const by = await app.tools.callers.find(await person.token())
    return (await rotateApiKey(app.tools.db, clock, store.project, id, new Date(clock.now()), by)).apiKey
  }

  const rename = ({ id }: ApiKey, name: string) => renameApiKey(app.tools.db, store.project, id, name)

  const nameOf = async ({ id }: ApiKey) =>
    (await app.tools.db.apiKey.findUniqueOrThrow({ where: { id } })).name

  /** Counts the events and keys that have a person's name anywhere. */
  async function countRowsWith(name: string) {
    const [row] = await app.tools.db.$queryRaw<{ n: number }[]>`
      SELECT count(*)::int AS n FROM (
        SELECT t::text AS line FROM told t UNION ALL SELECT e::text FROM events e
        UNION ALL SELECT row_to_json(k)::text FROM api_keys k
      ) AS everything WHERE line LIKE ${`%${name}%`}`
    return row?.n
  }
})

it('two device codes that are open at once never have the same letters', async () => {
  const many = await Promise.all(
    Array.from({ length: 50 }, () => askCore(app.tools.db, clock, { machine: 'm', address: 'a' })),
  )

  expect(new Set(many.map(({ userCode }) => userCode)).size).toBe(50)
})

it('an id with a NUL from a page of the dashboard is answered as an unknown id', async () => {
  const ada = await member('viewer')
  const asked = await askForCode(app.url)
  const { json } = await ada.post('/session/passkey/options')
  const { challenge } = json as { challenge: string }
  const clientDataJSON = Buffer.from(JSON.stringify({ challenge })).toString('base64url')
  const remove = 'mutation ($id: ID!) { passkeyRemove(input: { id: $id }) { passkeyId } }'

  const answers = [
    await ada.post('/session/token', { project: '\0' }),
    await decide(ada, 'approve', asked, '\0'),
    await ada.post('/session/passkey', { response: { id: '\0', response: { clientDataJSON } } }),
  ]
  const removed = await sendGraphql(app.url, await ada.token(), remove, { variables: { id: 'passkey_\0' } })

  expect(answers.map(codeOf)).toEqual(['project_not_found', 'project_not_found', 'unauthorized'])
  expect(codesOf(removed)).toEqual(['passkey_not_found'])
})
