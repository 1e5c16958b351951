import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { actAs } from '../../src/core/acts.ts'
import { issueApiKey, revokeApiKey, rotateApiKey } from '../../src/core/keys/api-keys.ts'
import type { Role } from '../../src/core/keys/roles.ts'
import {
  invite,
  inviteFirstOwner,
  listInvitationsOfProjects,
  withdrawInvitation,
} from '../../src/core/people/invitations.ts'
import { setJoinDomain } from '../../src/core/people/join-domains.ts'
import { acceptInvitation } from '../../src/core/people/joining.ts'
import { listMembers, removeMember, setRole } from '../../src/core/people/members.ts'
import { deletePerson, exportPerson, renamePerson } from '../../src/core/people/people.ts'
import type { Project } from '../../src/core/project.ts'
import { forgetNames } from '../../src/jobs/forget-names.ts'
import { numberAll } from '../support/events.ts'
import { fill } from '../support/fill.ts'
import { fillKeys } from '../support/fill-keys.ts'
import { sendGraphql } from '../support/graphql.ts'
import { join, openBrowser, type SignedIn, signedIn } from '../support/people.ts'
import { type App, startApp } from '../support/start-app.ts'

const schema = readFileSync('schema.graphql', 'utf8')
let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const db = () => app.tools.db
const remove = (project: Project, personId: string) => removeMember(db(), app.tools.clock, project, personId)
const owners = async (project: Project) =>
  (await listMembers(db(), project)).filter(({ role }) => role === 'owner').length

it('the last owner can neither be removed, nor get another role, nor be deleted', async () => {
  const { project } = await app.makeProject()
  const ada = await join(app.tools, project, 'owner')
  await join(app.tools, project, 'developer')

  for (const act of [
    () => remove(project, ada),
    () => setRole(db(), project, ada, 'developer'),
    () => deletePerson(db(), ada),
  ])
    await expect(act()).rejects.toMatchObject({ code: 'last_owner' })
  expect(await owners(project)).toBe(1)
})

it('if the last two owners leave at the same time, one of them stays an owner', async () => {
  const ways = [
    (project: Project, id: string) => remove(project, id),
    (project: Project, id: string) => setRole(db(), project, id, 'viewer'),
    (_: Project, id: string) => deletePerson(db(), id),
  ]
  for (const one of ways) {
    for (const other of ways) {
      const { project } = await app.makeProject()
      const [ada, bob] = [await join(app.tools, project, 'owner'), await join(app.tools, project, 'owner')]

      const outcomes = await Promise.allSettled([one(project, ada), other(project, bob)])

      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      expect(await owners(project)).toBe(1)
    }
  }
})

it('two owners of two projects who are deleted at once do not wait for each other', async () => {
  const [one, other] = [await app.makeProject(), await app.makeProject()]
  const [ada, bob] = [
    await join(app.tools, one.project, 'owner'),
    await join(app.tools, other.project, 'owner'),
  ]
  await join(app.tools, other.project, 'owner', { personId: ada })
  await join(app.tools, one.project, 'owner', { personId: bob })

  const outcomes = await Promise.allSettled([deletePerson(db(), ada), deletePerson(db(), bob)])

  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect([await owners(one.project), await owners(other.project)]).toEqual([1, 1])
})

it('removing a member lists all keys that the member issued, even by rotating a key or by using another API key', async () => {
  const { project } = await app.makeProject()
  await join(app.tools, project, 'owner')
  const bob = await signedIn(app.tools, app.url, project, 'developer')
  const send = async (secret: string, query: string) => {
    const answer = await bob.post('/graphql', { query }, { authorization: `Bearer ${secret}` })
    return answer.json as { data: { apiKeyIssue: { secret: string } } }
  }
  const issue = (name: string) =>
    `mutation { apiKeyIssue(input: { name: "${name}", scopes: [project_write, pets_read] }) { secret } }`
  const first = await send(await bob.token(), issue('by Bob'))
  await send(first.data.apiKeyIssue.secret, issue('by the key of Bob'))
  const { apiKey } = await issueApiKey(db(), app.tools.clock, project, {
    name: 'rotated',
    scopes: ['pets:read'],
  })
  await rotateApiKey(db(), app.tools.clock, project, apiKey.id, new Date(), await callerOf(bob))

  const { keys } = await remove(project, bob.personId)

  expect(keys.map(({ name }) => name)).toEqual(['rotated', 'by the key of Bob', 'by Bob'])
})

it('removing a member lists at most 100 of the keys that the member issued, and a repeated removal lists the next ones', async () => {
  const { project } = await app.makeProject()
  await join(app.tools, project, 'owner')
  const issuedBy = await join(app.tools, project, 'developer')
  await fillKeys(db(), project, 150, { issuedBy })

  const { keys } = await remove(project, issuedBy)
  const [, declared] = /apiKeys: \[ApiKey!\]! @listSize\(assumedSize: (\d+)\)/.exec(schema) ?? []
  expect(keys).toHaveLength(Number(declared))

  for (const { id } of keys) await db().apiKey.update({ where: { id }, data: { revokedAt: new Date() } })
  expect((await remove(project, issuedBy)).keys).toHaveLength(150 - keys.length)
})

const callerOf = async (person: SignedIn) => app.tools.callers.find(await person.token())

it.each([
  ['a removed member', (project: Project, id: string) => remove(project, id), 'unauthorized'],
  [
    'a demoted member',
    (project: Project, id: string) => setRole(db(), project, id, 'viewer'),
    'insufficient_scope',
  ],
])('%s issues and rotates no key, even by a request that was admitted before', async (_, change, code) => {
  const { project } = await app.makeProject()
  await join(app.tools, project, 'owner')
  const bob = await signedIn(app.tools, app.url, project, 'developer')
  const by = await callerOf(bob)
  const input = { name: 'late', scopes: ['pets:read'] as const }
  const { apiKey } = await issueApiKey(db(), app.tools.clock, project, input, by)

  await change(project, bob.personId)

  const late = [
    () => issueApiKey(db(), app.tools.clock, project, input, by),
    () => rotateApiKey(db(), app.tools.clock, project, apiKey.id, new Date(), by),
  ]
  for (const act of late) await expect(act()).rejects.toMatchObject({ code })
  expect(await db().apiKey.count({ where: { projectId: project.id, name: 'late' } })).toBe(1)
})

it('a revoked key issues and rotates no key, even by a request that was admitted before', async () => {
  const store = await app.makeProject()
  const { project } = store
  const by = await app.tools.callers.find(store.secret)
  const input = { name: 'late', scopes: ['pets:read'] as const }
  const { apiKey } = await issueApiKey(db(), app.tools.clock, project, input, by)

  await revokeApiKey(db(), app.tools.clock, project, store.keyId)

  const late = [
    () => issueApiKey(db(), app.tools.clock, project, input, by),
    () => rotateApiKey(db(), app.tools.clock, project, apiKey.id, new Date(), by),
  ]
  for (const act of late) await expect(act()).rejects.toMatchObject({ code: 'unauthorized' })
})

it('a viewer cannot issue a key, and a developer issues no key with more scopes than the role has', async () => {
  const { project } = await app.makeProject()
  const viewer = await signedIn(app.tools, app.url, project, 'viewer')

  const { text } = await viewer.ask('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'mutation { apiKeyIssue(input: { name: "k", scopes: [pets_write] }) { secret } }',
    }),
  })

  expect(text).toContain('The role viewer lacks the scope project:write.')
})

it('a removed or demoted owner cannot come back by an invitation made before', async () => {
  const { project } = await app.makeProject()
  await join(app.tools, project, 'owner')
  const [bob, eve] = [await join(app.tools, project, 'owner'), await join(app.tools, project, 'owner')]
  const made = await Promise.all(
    [bob, eve].map(invitedBy => invite(db(), app.tools.clock, project, { role: 'owner', invitedBy })),
  )

  await remove(project, bob)
  await setRole(db(), project, eve, 'viewer')

  for (const { secret } of made) {
    const back = await openBrowser(app.url).post('/session/invitation', { secret, name: 'Back' })
    expect(back.status).toBe(404)
  }
})

it('a request of an owner who is removed or demoted after the request was admitted changes no member and creates no invitation', async () => {
  const { project } = await app.makeProject()
  await join(app.tools, project, 'owner')
  const [bob, eve] = [await join(app.tools, project, 'owner'), await join(app.tools, project, 'owner')]
  const carl = await join(app.tools, project, 'viewer')
  await remove(project, bob)
  await setRole(db(), project, eve, 'viewer')
  const domain = { domain: 'acme.example', role: 'viewer', issuer: 'https://id.acme.example' } as const

  for (const by of [bob, eve]) {
    for (const act of [
      () => invite(db(), app.tools.clock, project, { role: 'owner', invitedBy: by }),
      () => setRole(db(), project, eve, 'owner', by),
      () => removeMember(db(), app.tools.clock, project, carl, by),
      () => setJoinDomain(db(), app.tools.clock, project, domain, by),
    ])
      await expect(act()).rejects.toMatchObject({ code: 'insufficient_scope' })
  }
})

it('an owner who demotes or removes herself has no rights of an owner in the rest of the request', async () => {
  const { project } = await app.makeProject()
  const ada = await join(app.tools, project, 'owner')
  const [bob, eve] = [
    await signedIn(app.tools, app.url, project, 'owner'),
    await signedIn(app.tools, app.url, project, 'owner'),
  ]
  const idOf = (personId: string) => `member_${project.slug}_${personId}`
  const setRoleOf = (personId: string, role: Role) =>
    `memberSetRole(input: { id: "${idOf(personId)}", role: ${role} }) { member { id } }`
  const removal = (personId: string) => `memberRemove(input: { id: "${idOf(personId)}" }) { memberId }`
  const invitation = 'memberInvite(input: { role: owner }) { url }'
  const send = async (person: SignedIn, ...acts: string[]) => {
    const query = `mutation { ${acts.map((act, n) => `act${n}: ${act}`).join(' ')} }`
    const { errors } = await sendGraphql(app.url, await person.token(), query)
    return errors.map(({ path, extensions }) => [path?.[0], extensions.code])
  }

  const demoted = await send(
    bob,
    setRoleOf(bob.personId, 'viewer'),
    setRoleOf(bob.personId, 'owner'),
    invitation,
  )
  const removed = await send(eve, removal(eve.personId), invitation, removal(bob.personId))

  for (const refused of [demoted, removed])
    expect(refused).toEqual([
      ['act1', 'insufficient_scope'],
      ['act2', 'insufficient_scope'],
    ])
  const members = await listMembers(db(), project)
  expect(members.map(({ personId, role }) => [personId, role])).toEqual([
    [ada, 'owner'],
    [bob.personId, 'viewer'],
  ])
})

it('a member who has the role of a link or a higher one does not use up the link', async () => {
  const { project } = await app.makeProject()
  const { clock } = app.tools
  const ada = await join(app.tools, project, 'developer')
  const { secret } = await invite(db(), clock, project, { role: 'viewer', invitedBy: null })
  const attempt = randomBytes(32).toString('base64url')

  for (let n = 0; n < 2; n++)
    expect(await acceptInvitation(db(), clock, secret, { personId: ada }, { attempt })).toMatchObject({
      project: project.slug,
    })
  await acceptInvitation(db(), clock, secret, { name: 'Bob' })

  const members = await listMembers(db(), project)
  expect(members.map(({ role }) => role)).toEqual(['developer', 'viewer'])
})

it('the name of a person has a visible character', async () => {
  const { project } = await app.makeProject()
  const { clock } = app.tools
  const { secret } = await invite(db(), clock, project, { role: 'viewer', invitedBy: null })
  const refused = { code: 'invalid_input', details: [{ field: 'name' }] }

  for (const name of ['\u200b\u200b', '\u3164', '\u2800', '\u0301'])
    await expect(acceptInvitation(db(), clock, secret, { name }), name).rejects.toMatchObject(refused)
  const { personId } = await acceptInvitation(db(), clock, secret, { name: '🦊' })
  await expect(renamePerson(db(), personId, '\u200b')).rejects.toMatchObject(refused)
})

it('an invitation is listed until it is withdrawn, and only its own project withdraws it', async () => {
  const [{ project }, other] = [await app.makeProject(), await app.makeProject()]
  const { invitation, secret } = await invite(db(), app.tools.clock, project, {
    role: 'viewer',
    invitedBy: null,
  })

  await expect(withdrawInvitation(db(), other.project, invitation.id)).rejects.toMatchObject({
    code: 'invitation_not_found',
  })
  expect(await listInvitationsOfProjects(db(), app.tools.clock, [project.id])).toMatchObject([
    [{ id: invitation.id }],
  ])
  await withdrawInvitation(db(), project, invitation.id)

  expect(await listInvitationsOfProjects(db(), app.tools.clock, [project.id])).toEqual([[]])
  const late = await openBrowser(app.url).post('/session/invitation', { secret, name: 'Late' })
  expect(late.status).toBe(404)
})

it('a new link for the first owner replaces the link before it, but no invitation of an operator', async () => {
  const { project } = await app.makeProject()
  const { clock } = app.tools
  await invite(db(), clock, project, { role: 'developer', invitedBy: null })

  for (let start = 0; start < 2; start++) await inviteFirstOwner(db(), clock, project.slug, null)

  const [open = []] = await listInvitationsOfProjects(db(), clock, [project.id])
  expect(open.map(({ role }) => role)).toEqual(['owner', 'developer'])
})

it.each(['by joining', 'by a new role'])(
  'the link for the first owner ends when a member becomes owner %s',
  async how => {
    const { project } = await app.makeProject()
    const { clock } = app.tools
    const link = await inviteFirstOwner(db(), clock, project.slug, null)
    const role = how === 'by joining' ? 'owner' : 'viewer'
    const { secret } = await invite(db(), clock, project, { role, invitedBy: null })

    const { personId } = await acceptInvitation(db(), clock, secret, { name: 'Olga' })
    if (role === 'viewer') await setRole(db(), project, personId, 'owner')

    await expect(acceptInvitation(db(), clock, link, { name: 'Eve' })).rejects.toMatchObject({
      code: 'invitation_not_found',
    })
  },
)

it('a project has at most 100 members and open invitations together, even if the last invitations are made at once', async () => {
  const { project } = await app.makeProject()
  const [now, later] = [new Date(), new Date(Date.now() + 60_000)]
  await db().invitation.createMany({
    data: Array.from({ length: 98 }, () => ({
      ...{ projectId: project.id, role: 'viewer' as const, createdAt: now, expiresAt: later },
      hash: new Uint8Array(randomBytes(32)),
    })),
  })

  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () =>
      invite(db(), app.tools.clock, project, { role: 'viewer', invitedBy: null }),
    ),
  )

  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

it('a person who leaves their last project is deleted, with all sessions and tokens of the person', async () => {
  const { project } = await app.makeProject()
  await join(app.tools, project, 'owner')
  const ada = await signedIn(app.tools, app.url, project, 'viewer')

  await remove(project, ada.personId)

  expect(await db().person.count({ where: { id: ada.personId } })).toBe(0)
  expect(await db().session.count({ where: { personId: ada.personId } })).toBe(0)
  expect((await ada.post('/session/token')).status).toBe(401)
})

it('if a person is removed and joins again at once, the new membership stays', async () => {
  for (let i = 0; i < 10; i++) {
    const [{ project }, other] = [await app.makeProject(), await app.makeProject()]
    await join(app.tools, project, 'owner')
    const ada = await join(app.tools, project, 'viewer')

    const [, joined] = await Promise.allSettled([
      remove(project, ada),
      join(app.tools, other.project, 'viewer', { personId: ada }),
    ])

    const members = await listMembers(db(), other.project)
    expect(members).toHaveLength(joined.status === 'fulfilled' ? 1 : 0)
  }
})

it('an export has everything that is stored of a person, and no secret', async () => {
  const { project } = await app.makeProject()
  const ada = await signedIn(app.tools, app.url, project, 'viewer', 'Ada Lovelace')

  const text = JSON.stringify(await exportPerson(db(), app.tools.clock, ada.personId))

  for (const part of ['Ada Lovelace', project.slug, 'viewer', 'Firefox on Linux'])
    expect(text).toContain(part)
  expect(text).not.toContain('hash')
})

it('after a person is deleted, the audit log has the id and no name', async () => {
  const store = await app.makeProject()
  const { project } = store
  await signedIn(app.tools, app.url, project, 'owner', 'Grace')
  const ada = await signedIn(app.tools, app.url, project, 'owner', 'Ada Uncommon')
  const act = () => ({ actor: { type: 'person', id: ada.personId, name: 'Ada Uncommon' } }) as const
  await actAs(act, () => renamePerson(db(), ada.personId, 'Ada Unusual'))
  // Some entries are numbered before the deletion, and some after it.
  await numberAll(app.tools)
  await actAs(act, () => issueApiKey(db(), app.tools.clock, project, { name: 'Till', scopes: ['pets:read'] }))

  await actAs(act, () => deletePerson(db(), ada.personId))
  await numberAll(app.tools)

  const rows = await db().$queryRaw<{ text: string }[]>`
    SELECT concat_ws(' ', subject, data, previous, actor) AS text FROM events
    UNION ALL SELECT concat_ws(' ', subject, data, previous, actor) FROM told`
  const all = rows.map(({ text }) => text)
  expect(all.filter(text => /Uncommon|Unusual/.test(text))).toEqual([])
  expect(all.filter(text => text.includes(ada.personId)).length).toBeGreaterThan(3)
  const { status, text } = await store.get('/v1/events?kind=management')
  expect([status, text.includes('Deleted person')]).toEqual([200, true])
})

it('the deletion of a person reads only the audit entries about the person and by the person', async () => {
  const { project } = await app.makeProject()
  const id = await join(app.tools, project, 'viewer')
  await numberAll(app.tools)
  const entries = `
    SELECT 0, 0, 1000000 + n, now(), true, 'usage.recorded', 'project:other-' || n, '{}', '{"type":"system","name":"notices"}'
    FROM generate_series(1, 20000) AS n`
  await fill(
    app.tools,
    `INSERT INTO events (project_id, era, number, at, is_management, type, subject, data, actor) ${entries}
      ON CONFLICT DO NOTHING`,
  )
  await db().$executeRaw`ANALYZE events`

  const read = await db().$transaction(async tx => {
    const readSoFar = async () => {
      const [row] = await tx.$queryRaw<{ read: number }[]>`
        SELECT sum(pg_stat_get_xact_tuples_returned(relation))::int AS read FROM (
          SELECT 'events'::regclass UNION ALL SELECT indexrelid FROM pg_index WHERE indrelid = 'events'::regclass
        ) AS relations (relation)`
      return row?.read ?? 0
    }
    // Subtract what was counted before, because PostgreSQL may still count reads that this connection made up to 1 s ago.
    const before = await readSoFar()
    await tx.person.delete({ where: { id } })
    return (await readSoFar()) - before
  })

  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(100)
})

it('the deletion of a person with many audit entries changes few of them, and a job takes the name out of the others', async () => {
  const { project } = await app.makeProject()
  const id = await join(app.tools, project, 'viewer', { name: 'Ada Abundant' })
  const entry = (data: object) => `true, 'person.changed', 'person:${id}', '${JSON.stringify(data)}',
    '{"type":"person","id":"${id}","name":"Ada Abundant"}'`
  const columns = 'project_id, is_management, type, subject, data, actor'
  await fill(
    app.tools,
    `INSERT INTO events (era, at, number, ${columns})
      SELECT 0, now(), 2000000 + n, 0, ${entry({ name: 'Ada Abundant' })} FROM generate_series(1, 3000) AS n`,
  )
  const named = async (tx = db()) =>
    (
      await tx.$queryRaw<{ text: string }[]>`
      SELECT concat_ws(' ', data, previous, actor) AS text FROM events UNION ALL
      SELECT concat_ws(' ', data, previous, actor) FROM told`
    ).filter(({ text }) => /Abundant/.test(text)).length

  const atDeletion = await db().$transaction(async tx => {
    await tx.person.delete({ where: { id } })
    return named(tx as never)
  })
  expect(atDeletion).toBeGreaterThanOrEqual(2_000)
  const forget = () => forgetNames(db()).run(null, new AbortController().signal)
  // An act of the person that was in flight at the deletion is committed only after the job has run.
  await forget()
  await db().$executeRawUnsafe(`INSERT INTO told (${columns}) SELECT 0, ${entry({ name: 'Ada Abundant' })}`)

  // The job of the service itself may be at work on the same name.
  const waiting = () => db().$queryRaw`SELECT person_id FROM names_to_forget WHERE person_id = ${id}::uuid`
  expect(await waiting()).toEqual([{ person_id: id }])
  await db().$executeRaw`UPDATE names_to_forget SET deleted_at = deleted_at - interval '1 minute'`
  const left = async () => {
    await forget()
    return [await named(), await waiting()]
  }
  await expect.poll(left, { timeout: 20_000 }).toEqual([0, []])
})
