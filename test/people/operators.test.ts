import { randomUUID } from 'node:crypto'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  type MockInstance,
  onTestFinished,
  vi,
} from 'vitest'
import { removeMember } from '../../src/core/people/members.ts'
import { requireRightToAddPasskey } from '../../src/core/people/operators.ts'
import { addPasskey } from '../../src/core/people/passkeys.ts'
import { deletePerson } from '../../src/core/people/people.ts'
import { beginSession, endSessions } from '../../src/core/people/sessions.ts'
import { ask } from '../support/ask.ts'
import { numberAll } from '../support/events.ts'
import { codesOf, sendGraphql } from '../support/graphql.ts'
import { join, type SignedIn, signedIn } from '../support/people.ts'
import { findProgram } from '../support/programs.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { startTwo } from '../support/two-processes.ts'

const operatorKey = 'operator-of-the-operators-0123456789abcdef'
let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp({ env: { OPERATOR_KEY: `mara:${operatorKey}` } })
  store = await app.makeProject()
  await join(app.tools, store.project, 'owner')
})
afterAll(() => app.stop())

const byKey = (query: string, headers = {}) => sendGraphql(app.url, operatorKey, query, { headers })
const add = (personId: string) =>
  `mutation { operatorAdd(input: { id: "person_${personId}" }) { operator { id name passkeys { name } } } }`
const remove = (personId: string) =>
  `mutation { operatorRemove(input: { id: "person_${personId}" }) { operatorId } }`

async function givePasskey(personId: string, { db } = app.tools): Promise<void> {
  await db.passkey.create({
    data: {
      ...{ id: `key-${personId}`, personId, name: 'Laptop', publicKey: new Uint8Array(77), counter: 0n },
      ...{ transports: [], createdAt: new Date() },
    },
  })
}

/** Makes a member who has a passkey and a session. `how` says how the session began. */
async function member(
  how: 'with a passkey' | 'at the issuer' | 'by a link',
  name = 'Ada',
): Promise<SignedIn> {
  const person = await signedIn(app.tools, app.url, store.project, 'viewer', name)
  await givePasskey(person.personId)
  await app.tools.db.session.updateMany({
    where: { personId: person.personId },
    data: { byPasskey: how === 'with a passkey', byIssuer: how === 'at the issuer' },
  })
  return person
}

async function operator(name = 'Ada'): Promise<SignedIn> {
  const person = await member('with a passkey', name)
  expect((await byKey(add(person.personId))).errors).toEqual([])
  return person
}

const askForToken = (person: SignedIn) => person.post('/session/token', { operator: true })
const tokenOf = async (person: SignedIn) => ((await askForToken(person)).json as { token: string }).token

describe('becoming an operator', () => {
  it('an operator key makes a person an operator, by the id of the person or of a membership', async () => {
    const [ada, bob] = [await member('with a passkey'), await member('with a passkey', 'Bob')]

    const first = await byKey(add(ada.personId))
    const second = await byKey(
      add(bob.personId).replace(`person_${bob.personId}`, `member_${store.project.slug}_${bob.personId}`),
    )

    expect(first.data.operatorAdd.operator).toEqual({
      ...{ id: `person_${ada.personId}`, name: 'Ada', passkeys: [{ name: 'Laptop' }] },
    })
    expect(second.data.operatorAdd.operator.name).toBe('Bob')
    const { data } = await byKey('{ operators { id } }')
    const ids = data.operators.map(({ id }: { id: string }) => id)
    expect(ids).toContain(`person_${ada.personId}`)
    expect(ids).toContain(`person_${bob.personId}`)
  })

  it('neither a person without a passkey nor an unknown person can become an operator', async () => {
    const other = await app.makeProject()
    const bare = await signedIn(app.tools, app.url, store.project, 'owner')
    const nobody = '0197f6a0-0000-7000-8000-000000000001'

    expect(codesOf(await byKey(add(bare.personId)))).toEqual(['precondition_failed'])
    expect(codesOf(await byKey(add(nobody)))).toEqual(['member_not_found'])
    const odd = add(nobody).replace('person_', 'member_\\u0000_')
    expect(codesOf(await byKey(odd))).toEqual(['member_not_found'])
    const ofOther = `member_${other.project.slug}_${bare.personId}`
    expect(codesOf(await byKey(add(bare.personId).replace(`person_${bare.personId}`, ofOther)))).toEqual([
      'member_not_found',
    ])
    expect((await askForToken(bare)).status).toBe(403)
  })

  it('no key of a project and no session of an owner or operator can make a person an operator', async () => {
    const [ada, owner, bob] = [
      await operator(),
      await signedIn(app.tools, app.url, store.project, 'owner'),
      await member('with a passkey'),
    ]

    for (const token of [store.secret, await owner.token(), await ada.token(), await tokenOf(ada)])
      expect(codesOf(await sendGraphql(app.url, token, add(bob.personId)))).toEqual(['insufficient_scope'])
    expect((await askForToken(bob)).status).toBe(403)
  })

  it('an operator who belongs to no project stays, and is deleted when the operator flag is removed', async () => {
    const ada = await operator()
    const { db, clock } = app.tools

    await removeMember(db, clock, store.project, ada.personId)
    const { status, json } = await askForToken(ada)
    expect([status, json]).toMatchObject([200, { project: null, projects: [] }])

    await byKey(remove(ada.personId))
    expect(await db.person.count({ where: { id: ada.personId } })).toBe(0)
  })
})

describe('acting as operator', () => {
  it.each(['at the issuer', 'by a link'] as const)(
    'a session that began %s gets no token of an operator',
    async how => {
      const ada = await member(how)
      await byKey(add(ada.personId))

      const { status, json } = await askForToken(ada)

      expect([status, json]).toMatchObject([
        403,
        { code: 'insufficient_scope', message: 'Sign in with a passkey to act as operator.' },
      ])
      const own = (await ada.post('/session/token')).json
      expect(own).toMatchObject({ operator: 'needs_passkey', project: store.project.slug })
      const forProject = await sendGraphql(app.url, await ada.token(), '{ projects { nodes { slug } } }')
      expect(codesOf(forProject)).toEqual(['insufficient_scope'])
    },
  )

  it('a session that began with a passkey gets a token with the rights of an operator key', async () => {
    const ada = await operator()
    expect((await ada.post('/session/token')).json).toMatchObject({ operator: 'granted' })
    const token = await tokenOf(ada)

    const { data, errors } = await sendGraphql(
      app.url,
      token,
      `{ caller { operator projectSlug } projects { nodes { slug } } operators { id } auditLog { nodes { type } }
         domains { nodes { name } } project(slug: "${store.project.slug}") { pets { nodes { id } } members { name } } }`,
    )

    expect(errors).toEqual([])
    expect(data.caller).toEqual({ operator: true, projectSlug: null })
    expect(data.projects.nodes).toContainEqual({ slug: store.project.slug })
  })

  it('an operator token is refused at the REST and MCP APIs and at the hosts of projects', async () => {
    const ada = await operator()
    const headers = { authorization: `Bearer ${await tokenOf(ada)}` }
    const host = { host: `${store.project.slug}.animals.localhost` }
    const there = { method: 'POST', headers: { ...headers, ...host, 'content-type': 'application/json' } }

    expect((await ask(`${app.url}/v1/pets`, { headers })).status).toBe(401)
    expect((await ask(`${app.url}/mcp`, { ...there, headers, body: '{}' })).status).toBe(401)
    const body = JSON.stringify({ query: '{ projects { nodes { slug } } }' })
    expect((await ask(`${app.url}/graphql`, { ...there, body })).status).not.toBe(200)
  })

  it('a session cookie alone gives no operator access, and a page of another site gets no operator token', async () => {
    const ada = await operator()

    const foreign = await ada.post('/session/token', { operator: true }, { origin: 'https://evil.test' })
    const body = JSON.stringify({ query: '{ projects { nodes { slug } } }' })
    const headers = { cookie: ada.cookie() ?? '', 'content-type': 'application/json' }

    expect(foreign.status).toBe(403)
    expect((await ask(`${app.url}/graphql`, { method: 'POST', headers, body })).text).toContain(
      'unauthorized',
    )
  })

  it('the requests of a person as operator do not use the budget of the operator keys', async () => {
    const ada = await operator()
    const { text } = await sendGraphql(
      app.url,
      await tokenOf(ada),
      '{ projects(first: 1) { nodes { slug } } }',
    )
    expect(text).toContain('slug')

    const left = async (subject: string) => {
      const windows = [{ name: 'management', seconds: 60, limit: 600 }]
      return (await app.tools.limiter.get(subject, { windows })).windows[0]?.remaining
    }
    expect(await left(`operator:${ada.personId}`)).toBeLessThan(600)
  })

  it('an operator adds a passkey only in a session that began with a passkey', async () => {
    const [byLink, byPasskey] = [await member('by a link'), await member('with a passkey')]
    for (const { personId } of [byLink, byPasskey]) await byKey(add(personId))
    const options = async (person: SignedIn) => {
      const bearer = { authorization: `Bearer ${await person.token()}` }
      return (await person.post('/session/passkeys/options', {}, bearer)).status
    }

    expect(await options(byLink)).toBe(403)
    expect(await options(byPasskey)).toBe(200)
    const bearer = { authorization: `Bearer ${await byLink.token()}` }
    expect((await byLink.post('/session/passkeys', { name: 'Mine' }, bearer)).status).toBe(403)
    // The person may have become an operator after the request was checked.
    const { db, clock } = app.tools
    const ofLink = { where: { personId: byLink.personId }, select: { id: true } }
    const { id: sessionId } = await db.session.findFirstOrThrow(ofLink)
    const passkey = { id: randomUUID(), name: 'Mine', transports: [], counter: 0n }
    const adding = addPasskey(
      db,
      clock,
      { id: byLink.personId, sessionId },
      { ...passkey, publicKey: new Uint8Array(8) },
    )
    await expect(adding).rejects.toMatchObject({ code: 'insufficient_scope' })
  })

  it('a session that has just ended adds no passkey, although its token is still cached', async () => {
    const ada = await member('by a link')
    await byKey(add(ada.personId))
    const bearer = { authorization: `Bearer ${await ada.token()}` }
    const options = async () => (await ada.post('/session/passkeys/options', {}, bearer)).status
    const ofSession = { where: { personId: ada.personId }, select: { id: true } }
    const { id } = await app.tools.db.session.findFirstOrThrow(ofSession)
    expect(await options()).toBe(403)

    await endSessions(app.tools.db, ada.personId, null)

    expect(await options()).toBe(401)
    await expect(requireRightToAddPasskey(app.tools.db, id)).rejects.toMatchObject({ code: 'unauthorized' })
  })
})

describe('the end of being an operator', () => {
  const works = async (token: string) =>
    (await sendGraphql(app.url, token, '{ caller { operator } }')).text.includes('true')

  it('an operator token ends with the operator flag, with its session, with the sign-out, and after ten minutes', async () => {
    const { db } = app.tools
    const ways: ((person: SignedIn, token: string) => Promise<unknown>)[] = [
      person => byKey(remove(person.personId)),
      person => endSessions(db, person.personId, null),
      (person, token) => person.post('/session/end', {}, { authorization: `Bearer ${token}` }),
      person =>
        db.operatorToken.updateMany({
          where: { session: { personId: person.personId } },
          data: { expiresAt: new Date() },
        }),
    ]
    for (const end of ways) {
      const ada = await operator()
      const token = await tokenOf(ada)
      expect(await works(token)).toBe(true)

      await end(ada, token)

      expect(await works(token)).toBe(false)
    }
  })

  it('an operator in a session can end the operator rights of another person, who stays a member', async () => {
    const [ada, bob] = [await operator(), await operator('Bob')]

    await sendGraphql(app.url, await tokenOf(ada), remove(bob.personId))

    expect((await askForToken(bob)).status).toBe(403)
    expect((await bob.post('/session/token')).json).toMatchObject({ operator: null })
  })

  describe.skipIf(!findProgram('postgres'))('two processes', () => {
    it('after the operator flag is removed, the next request is refused at the other process too', async () => {
      const { here, other, store: shop } = await startTwo()
      const { tools } = here
      const ada = await signedIn(tools, here.url, shop.project, 'owner')
      await tools.db.person.update({ where: { id: ada.personId }, data: { operator: true } })
      await tools.db.session.updateMany({ data: { byPasskey: true } })
      const token = await tokenOf(ada)
      const there = () => sendGraphql(other.url, token, '{ caller { operator } }')
      expect((await there()).data.caller).toEqual({ operator: true })

      // Change the database directly, not through the service.
      await tools.db.$executeRaw`UPDATE people SET operator = false WHERE id = ${ada.personId}::uuid`

      expect(codesOf(await there())).toEqual(['unauthorized'])
    })
  })
})

describe('the records about operators', () => {
  let lines: MockInstance
  beforeEach(() => {
    lines = vi.spyOn(app.tools.log, 'info')
  })
  afterEach(() => lines.mockRestore())

  const entriesOf = async (requestId: string) => {
    await numberAll(app.tools)
    return app.tools.db.$queryRaw<{ type: string; actor: object }[]>`
      SELECT type, subject, actor, door FROM events WHERE is_management AND request_id = ${requestId} ORDER BY number`
  }

  it('adding and removing an operator each write one audit entry, which names the operator key', async () => {
    const ada = await member('with a passkey')
    const [makes, makesAgain, ends] = [randomUUID(), randomUUID(), randomUUID()]
    await byKey(add(ada.personId), { 'x-request-id': makes })
    await byKey(add(ada.personId), { 'x-request-id': makesAgain })
    await byKey(remove(ada.personId), { 'x-request-id': ends })

    const entry = { subject: `person:${ada.personId}`, actor: { type: 'operator', name: 'mara' } }
    expect(await entriesOf(makes)).toMatchObject([{ type: 'operator.added', ...entry }])
    expect(await entriesOf(makesAgain)).toEqual([])
    expect(await entriesOf(ends)).toMatchObject([{ type: 'operator.removed', ...entry }])
  })

  it('a change of the operator flag is in the audit log even if it is made in the database', async () => {
    const ada = await member('with a passkey')
    await app.tools.db.$executeRaw`UPDATE people SET operator = true WHERE id = ${ada.personId}::uuid`
    await deletePerson(app.tools.db, ada.personId)
    await numberAll(app.tools)

    const rows = await app.tools.db.$queryRaw<{ type: string }[]>`
      SELECT type FROM events WHERE subject = ${`person:${ada.personId}`} AND type LIKE 'operator.%' ORDER BY number`
    expect(rows.map(({ type }) => type)).toEqual(['operator.added', 'operator.removed'])
  })

  it('the audit log names the operator who acts in a session, and the log lines have only the id of the operator', async () => {
    const ada = await operator('Ada Uncommon')
    const requestId = randomUUID()
    const headers = { 'x-request-id': requestId }
    const { project } = await app.makeProject()
    const suspend = `mutation { projectSuspend(input: { id: "project_${project.slug}" }) { project { slug } } }`
    await sendGraphql(app.url, await tokenOf(ada), suspend, { headers })

    expect(await entriesOf(requestId)).toEqual([
      {
        ...{ type: 'project.suspended', subject: `project:${project.slug}`, door: 'graphql' },
        actor: { type: 'operator', id: ada.personId, name: 'Ada Uncommon' },
      },
    ])
    const { data } = await byKey(`{ auditLog(actor: "operator:${ada.personId}") { nodes { type } } }`)
    expect(data.auditLog.nodes).toContainEqual({ type: 'project.suspended' })
    await expect
      .poll(() => lines.mock.calls.flat().filter(line => line.requestId === requestId))
      .toMatchObject([
        { operator: `person:${ada.personId}`, project: project.slug },
        { operator: `person:${ada.personId}`, person: ada.personId, route: '/graphql' },
      ])
    expect(JSON.stringify(lines.mock.calls)).not.toContain('Uncommon')
  })

  it('every request of an operator is logged with the operator, even if only a share of the requests is logged', async () => {
    const ada = await operator()
    const token = await tokenOf(ada)
    const { log } = app.tools.config
    log.requests = 0
    onTestFinished(() => {
      log.requests = 1
    })
    const send = (secret: string, id: string) =>
      sendGraphql(app.url, secret, '{ caller { operator } }', { headers: { 'x-request-id': id } })

    await send(operatorKey, 'by-key')
    await send(token, 'by-person')
    await send(store.secret, 'by-project')

    const named = () =>
      lines.mock.calls
        .flat()
        .flatMap(({ requestId, operator }) => (/^by-/.test(requestId) ? [[requestId, operator]] : []))
    await expect.poll(named).toEqual([
      ['by-key', 'mara'],
      ['by-person', `person:${ada.personId}`],
    ])
  })

  it('after an operator is deleted, the audit log shows the acts of the operator without the name', async () => {
    const ada = await operator('Ada Unusual')
    const query = 'mutation { certificatesResume { pauses } }'
    const requestId = randomUUID()
    await sendGraphql(app.url, await tokenOf(ada), query, { headers: { 'x-request-id': requestId } })
    await byKey(remove(ada.personId))

    await deletePerson(app.tools.db, ada.personId)

    expect(await entriesOf(requestId)).toMatchObject([
      {
        type: 'certificates.resumed',
        actor: { type: 'operator', id: ada.personId, name: 'Deleted person' },
      },
    ])
  })

  it('a new session of an operator gets an operator token only if it began with a passkey', async () => {
    const ada = await operator()
    const { db, clock } = app.tools
    const { secret } = await beginSession(db, clock, ada.personId, 'Firefox on Linux')
    const name = (ada.cookie() ?? '').split('=')[0]

    const answer = await ada.post('/session/token', { operator: true }, { cookie: `${name}=${secret}` })

    expect(answer.status).toBe(403)
  })
})
