import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../../src/core/keys/roles.ts'
import { codesOf, sendGraphql } from '../support/graphql.ts'
import { openBrowser, type SignedIn, signedIn } from '../support/people.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-people-0123456789abcdef'
let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp({ env: { OPERATOR_KEY: operatorKey } })
  store = await app.makeProject()
})
afterAll(() => app.stop())

const member = (role: Role, project = store.project) => signedIn(app.tools, app.url, project, role)
const send = async (person: SignedIn, query: string) => sendGraphql(app.url, await person.token(), query)
const idOf = (personId: string, { project } = store) => `member_${project.slug}_${personId}`

const inviteAs = (role: Role) =>
  `mutation { memberInvite(input: { role: ${role} }) { url invitation { id role invitedBy expiresAt } } }`
const list = `{ project { members { id name role current } invitations { id role invitedBy } } }`

describe('an owner', () => {
  it('an owner invites by a link that is shown once, lists the invitation and withdraws it', async () => {
    const ada = await member('owner')

    const { data } = await send(ada, inviteAs('developer'))
    const { url, invitation } = data.memberInvite
    expect(url).toMatch(/^http:\/\/localhost:\d+\/dashboard\/invitation#asi_[\w-]{43}$/)
    expect(invitation).toMatchObject({ role: 'developer', invitedBy: 'A owner' })
    const listed = await send(ada, list)
    expect(listed.text).toContain(invitation.id)
    expect(listed.text).not.toContain(url.split('#')[1])

    const withdraw = `mutation { invitationWithdraw(input: { id: "${invitation.id}" }) { invitationId } }`
    expect((await send(ada, withdraw)).data.invitationWithdraw.invitationId).toBe(invitation.id)
    expect(codesOf(await send(ada, withdraw))).toEqual(['invitation_not_found'])
    const late = await openBrowser(app.url).post('/session/invitation', {
      ...{ secret: url.split('#')[1], name: 'Late' },
    })
    expect(late.status).toBe(404)
  })

  it('an owner changes a role, removes a member, and gets the list of the member’s keys to revoke', async () => {
    const [ada, bob] = [await member('owner'), await member('developer')]
    await send(bob, 'mutation { apiKeyIssue(input: { name: "of Bob", scopes: [pets_read] }) { secret } }')

    const changed = await send(
      ada,
      `mutation { memberSetRole(input: { id: "${idOf(bob.personId)}", role: viewer }) { member { role } } }`,
    )
    const removed = await send(
      ada,
      `mutation { memberRemove(input: { id: "${idOf(bob.personId)}" }) { memberId apiKeys { name state } } }`,
    )

    expect(changed.data.memberSetRole.member.role).toBe('viewer')
    expect(removed.data.memberRemove).toEqual({
      memberId: idOf(bob.personId),
      apiKeys: [{ name: 'of Bob', state: 'active' }],
    })
    expect((await bob.post('/session/token')).status).toBe(401)
  })

  it('an owner of another project finds no member, invitation or list of this project', async () => {
    const other = await app.makeProject()
    const [eve, bob, ada] = [
      await member('owner', other.project),
      await member('viewer'),
      await member('owner'),
    ]
    const { data } = await send(ada, inviteAs('viewer'))

    const answers = await Promise.all(
      [
        `mutation { memberRemove(input: { id: "${idOf(bob.personId)}" }) { memberId } }`,
        `mutation { memberSetRole(input: { id: "${idOf(eve.personId)}", role: owner }) { member { id } } }`,
        `mutation { memberRemove(input: { id: "${idOf(bob.personId, other)}" }) { memberId } }`,
        `mutation { invitationWithdraw(input: { id: "${data.memberInvite.invitation.id}" }) { invitationId } }`,
        `mutation { memberInvite(input: { projectId: "project_${store.project.slug}", role: owner }) { url } }`,
        `{ project(slug: "${store.project.slug}") { members { id } } }`,
      ].map(async query => codesOf(await send(eve, query))),
    )

    expect(answers).toEqual([
      ['member_not_found'],
      ['member_not_found'],
      ['member_not_found'],
      ['invitation_not_found'],
      ['project_not_found'],
      ['project_not_found'],
    ])
  })
})

describe('managing members', () => {
  const acts = (memberId: string) => [
    inviteAs('viewer'),
    `mutation { memberSetRole(input: { id: "${memberId}", role: owner }) { member { id } } }`,
    `mutation { memberRemove(input: { id: "${memberId}" }) { memberId } }`,
    '{ project { invitations { id } } }',
  ]

  it.each(['viewer', 'developer'] as const)('a %s may not manage members', async role => {
    const [bob, ada] = [await member(role), await member('owner')]

    for (const act of acts(idOf(ada.personId)))
      expect(codesOf(await send(bob, act))).toEqual(['insufficient_scope'])
    const raise = `mutation { memberSetRole(input: { id: "${idOf(bob.personId)}", role: owner }) { member { id } } }`
    expect(codesOf(await send(bob, raise))).toEqual(['insufficient_scope'])
  })

  it('an API key may not manage members, whatever its scopes are', async () => {
    const ada = await member('owner')

    for (const act of acts(idOf(ada.personId)))
      expect(codesOf(await sendGraphql(app.url, store.secret, act))).toEqual(['insufficient_scope'])
  })

  it('a member may leave, except for the last owner', async () => {
    const other = await app.makeProject()
    const [ada, bob] = [await member('owner', other.project), await member('viewer', other.project)]
    const leave = (person: SignedIn) =>
      send(person, `mutation { memberRemove(input: { id: "${idOf(person.personId, other)}" }) { memberId } }`)

    expect((await leave(bob)).data.memberRemove.memberId).toBe(idOf(bob.personId, other))
    expect(codesOf(await leave(ada))).toEqual(['last_owner'])
  })

  it('an operator may manage members, and must name the project', async () => {
    const other = await app.makeProject()
    const invite = (project: string) =>
      sendGraphql(
        app.url,
        operatorKey,
        `mutation { memberInvite(input: { ${project} role: owner }) { url } }`,
      )

    expect(codesOf(await invite(''))).toEqual(['invalid_input'])
    const { data } = await invite(`projectId: "project_${other.project.slug}",`)
    expect(data.memberInvite.url).toContain('#asi_')
  })
})

it('an API key with every scope may invite only the first owner of a project, and a new invitation link replaces the previous link', async () => {
  const { project, secret, issueKey } = await app.makeProject()
  const small = await issueKey(['project:write', 'project:read'])
  const invite = (key: string, role: Role = 'owner') => sendGraphql(app.url, key, inviteAs(role))
  const use = ({ data }: Awaited<ReturnType<typeof invite>>) =>
    openBrowser(app.url).post('/session/invitation', {
      ...{ secret: data.memberInvite.url.split('#')[1], name: 'Ada' },
    })

  expect(codesOf(await invite(small.secret))).toEqual(['insufficient_scope'])
  expect(codesOf(await invite(secret, 'developer'))).toEqual(['insufficient_scope'])
  const [first, second] = [await invite(secret), await invite(secret)]

  expect((await use(first)).status).toBe(404)
  expect((await use(second)).status).toBe(200)
  expect(codesOf(await invite(secret))).toEqual(['insufficient_scope'])
  expect(project.slug).toBeTruthy()
})

describe('a person', () => {
  it('a person sees their own projects, sessions and passkeys, and changes their own name', async () => {
    const ada = await member('viewer')

    await send(ada, 'mutation { viewerRename(input: { name: "Ada L" }) { viewer { name } } }')
    const { data } = await send(
      ada,
      '{ viewer { id name role memberships { projectSlug role } sessions { device current } passkeys { id } } }',
    )

    expect(data.viewer).toEqual({
      ...{ id: `person_${ada.personId}`, name: 'Ada L', role: 'viewer', passkeys: [] },
      memberships: [{ projectSlug: store.project.slug, role: 'viewer' }],
      sessions: [{ device: 'Firefox on Linux', current: true }],
    })
  })

  it('a person ends all other sessions and stays signed in, or ends all sessions', async () => {
    const ada = await member('viewer')

    const others = await send(ada, 'mutation { sessionsEnd(input: {}) { count } }')
    const all = await send(ada, 'mutation { sessionsEnd(input: { current: true }) { count } }')

    expect([others.data.sessionsEnd.count, all.data.sessionsEnd.count]).toEqual([0, 1])
    expect((await ada.post('/session/token')).status).toBe(401)
  })

  it('a person cannot end a session of somebody else', async () => {
    const [ada, eve] = [await member('viewer'), await member('viewer')]
    const { data } = await send(ada, '{ viewer { sessions { id } } }')

    const ended = await send(
      eve,
      `mutation { sessionEnd(input: { id: "${data.viewer.sessions[0].id}" }) { sessionId } }`,
    )

    expect(codesOf(ended)).toEqual(['session_not_found'])
  })

  it('a person deletes only their own account', async () => {
    const [ada, eve] = [await member('viewer'), await member('viewer')]
    const remove = `mutation { viewerDelete(input: { id: "person_${ada.personId}" }) { viewerId } }`

    expect(codesOf(await send(eve, remove))).toEqual(['member_not_found'])
    expect((await send(ada, remove)).data.viewerDelete.viewerId).toBe(`person_${ada.personId}`)
    expect((await ada.post('/session/token')).status).toBe(401)
    expect(await app.tools.db.person.count({ where: { id: ada.personId } })).toBe(0)
  })

  it('API keys and operators have no account to read or change', async () => {
    for (const key of [store.secret, operatorKey])
      expect(codesOf(await sendGraphql(app.url, key, '{ viewer { id } }'))).toEqual(['insufficient_scope'])
  })
})
