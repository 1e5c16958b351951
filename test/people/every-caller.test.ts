import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { roles } from '../../src/core/keys/roles.ts'
import { invite } from '../../src/core/people/invitations.ts'
import { removeMember } from '../../src/core/people/members.ts'
import { anonymousCharge } from '../../src/core/projects/limits.ts'
import { suspendProject } from '../../src/core/projects/operator.ts'
import { makeObjects } from '../support/every-mutation.ts'
import { codesOf, sendGraphql } from '../support/graphql.ts'
import { join, signedIn } from '../support/people.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-of-every-caller-0123456789abcdef'

/**
 * The callers, in the order of the marks below. The second project's members are invited to the first one, and have not
 * joined.
 */
const callers = [
  ...['viewer', 'developer', 'owner'],
  ...['viewer elsewhere', 'developer elsewhere', 'owner elsewhere'],
  ...['holder of a link', 'removed owner', 'owner of a suspended project', 'operator'],
] as const

/** `+`: the operation succeeds. `-`: it finds no such object. The other marks name the code of the refusal. */
const outcomes: Record<string, (missing: string) => string[]> = {
  '+': () => [],
  '-': missing => [missing],
  s: () => ['insufficient_scope'],
  u: () => ['unauthorized'],
  p: () => ['project_suspended'],
  i: () => ['invalid_input'],
}

type Names = Awaited<ReturnType<typeof makeNames>>
type Row = [marks: string, missing: string, query: (names: Names) => string]

/**
 * Each operation, and its outcome for each caller. If an operation names an object, it is an object of the first
 * project.
 */
const operations: Record<string, Row> = {
  pets: ['+++ +++ uu p s', '', () => '{ pets(first: 100) { nodes { name } } }'],
  getPet: ['+++ --- uu p s', 'pet_not_found', ({ pet }) => `{ getPet(petId: "${pet}") { name } }`],
  orders: ['+++ +++ uu p s', '', ({ pet }) => `{ orders(petId: "${pet}") { nodes { petName } } }`],
  order: ['+++ --- uu p s', 'order_not_found', ({ order }) => `{ order(id: "${order}") { petName } }`],
  apiKeys: [
    '+++ --- uu p +',
    'project_not_found',
    ({ slug }) => `{ project(slug: "${slug}") { apiKeys { nodes { name } } } }`,
  ],
  auditLog: [
    '+++ --- uu p +',
    'project_not_found',
    ({ slug }) => `{ auditLog(slug: "${slug}", first: 5) { nodes { data } } }`,
  ],
  webhook: ['s++ s-- uu p s', 'endpoint_not_found', ({ webhook }) => `{ webhook(id: "${webhook}") { url } }`],
  members: [
    '+++ --- uu p +',
    'project_not_found',
    ({ slug }) => `{ project(slug: "${slug}") { members { name } } }`,
  ],
  invitations: [
    'ss+ --- uu p +',
    'project_not_found',
    ({ slug }) => `{ project(slug: "${slug}") { invitations { id } } }`,
  ],
  viewer: ['+++ +++ uu + s', '', () => '{ viewer { name } }'],
  petCreate: [
    's++ s++ uu p s',
    '',
    () => 'mutation { petCreate(input: { name: "New", categoryId: 1 }) { pet { id } } }',
  ],
  petUpdate: [
    's++ s-- uu p s',
    'pet_not_found',
    ({ pet }) => `mutation { petUpdate(input: { id: "${pet}", name: "Now" }) { pet { id } } }`,
  ],
  petDelete: [
    's++ s-- uu p s',
    'pet_not_found',
    ({ pet }) => `mutation { petDelete(input: { id: "${pet}" }) { deletedId } }`,
  ],
  categorySet: [
    's++ s++ uu p s',
    '',
    () => 'mutation { categorySet(input: { id: "category_1", name: "Kind" }) { category { id } } }',
  ],
  orderPlace: [
    's++ s-- uu p s',
    'pet_not_found',
    ({ pet }) => `mutation { orderPlace(input: { petId: "${pet}" }) { order { id } } }`,
  ],
  orderCancel: [
    's++ s-- uu p s',
    'order_not_found',
    ({ order }) => `mutation { orderCancel(input: { id: "${order}" }) { order { id } } }`,
  ],
  apiKeyIssue: [
    's++ s-- uu p +',
    'project_not_found',
    ({ slug }) =>
      `mutation { apiKeyIssue(input: { projectId: "project_${slug}", name: "k", scopes: [pets_read] }) { secret } }`,
  ],
  apiKeyRevoke: [
    's++ s-- uu p +',
    'api_key_not_found',
    ({ key }) => `mutation { apiKeyRevoke(input: { id: "${key}" }) { apiKey { id } } }`,
  ],
  domainAdd: [
    's++ s-- uu p +',
    'project_not_found',
    ({ slug, n }) =>
      `mutation { domainAdd(input: { projectId: "project_${slug}", name: "n${n}.test" }) { domain { id } } }`,
  ],
  domainRemove: [
    's++ s-- uu p +',
    'domain_not_found',
    ({ domain }) => `mutation { domainRemove(input: { id: "${domain}" }) { name } }`,
  ],
  deployCreate: [
    's++ s-- uu p +',
    'project_not_found',
    ({ slug }) =>
      `mutation { deployCreate(input: { projectId: "project_${slug}", title: "T" }) { deploy { id } } }`,
  ],
  webhookDelete: [
    's++ s-- uu p s',
    'endpoint_not_found',
    ({ webhook }) => `mutation { webhookDelete(input: { id: "${webhook}" }) { deletedId } }`,
  ],
  memberInvite: [
    'ss+ --- uu p +',
    'project_not_found',
    ({ slug }) => `mutation { memberInvite(input: { projectId: "project_${slug}", role: viewer }) { url } }`,
  ],
  memberSetRole: [
    'ss+ --- uu p +',
    'member_not_found',
    ({ otherMember }) =>
      `mutation { memberSetRole(input: { id: "${otherMember}", role: viewer }) { member { id } } }`,
  ],
  memberRemove: [
    'ss+ --- uu p +',
    'member_not_found',
    ({ otherMember }) => `mutation { memberRemove(input: { id: "${otherMember}" }) { memberId } }`,
  ],
  invitationWithdraw: [
    'ss+ --- uu p +',
    'invitation_not_found',
    ({ invitation }) => `mutation { invitationWithdraw(input: { id: "${invitation}" }) { invitationId } }`,
  ],
  joinDomainRemove: [
    'ss+ --- uu p +',
    'project_not_found',
    ({ slug }) =>
      `mutation { joinDomainRemove(input: { projectId: "project_${slug}", domain: "acme.example" }) { wasSet } }`,
  ],
  projectSetPlan: [
    'sss sss uu p +',
    '',
    ({ slug }) =>
      `mutation { projectSetPlan(input: { id: "project_${slug}", plan: business }) { project { id } } }`,
  ],
  apiKeyBan: [
    'sss sss uu p +',
    '',
    ({ key }) => `mutation { apiKeyBan(input: { id: "${key}", seconds: 60 }) { ban { endsAt } } }`,
  ],
}

let app: App
let store: TestProject
const secrets: string[] = []
beforeAll(async () => {
  app = await startApp({ env: { OPERATOR_KEY: operatorKey } })
  const { tools, url } = app
  const { db, clock } = tools
  store = await app.makeProject()
  const [other, suspended] = [await app.makeProject(), await app.makeProject()]
  const tokenOf = async ({ project }: TestProject, role: (typeof roles)[number]) => {
    const person = await signedIn(tools, url, project, role, 'A member')
    // Send a request first, so that the process has cached the caller before a removal or a suspension.
    await person.ask('/v1/pets')
    return { ...person, secret: await person.token(project.slug) }
  }
  for (const role of roles) secrets.push((await tokenOf(store, role)).secret)
  for (const role of roles) {
    secrets.push((await tokenOf(other, role)).secret)
    await invite(db, clock, store.project, { role: 'owner', invitedBy: null })
  }
  secrets.push((await invite(db, clock, store.project, { role: 'owner', invitedBy: null })).secret)
  const removed = await tokenOf(store, 'owner')
  // The removed owner stays a member of the other project, so only the access to the first project ends.
  await join(tools, other.project, 'owner', { personId: removed.personId })
  await removeMember(db, clock, store.project, removed.personId)
  const ofSuspended = await tokenOf(suspended, 'owner')
  await suspendProject(db, clock, suspended.project.slug)
  await tools.changes.read()
  secrets.push(removed.secret, ofSuspended.secret, operatorKey)
}, 120_000)
afterAll(() => app?.stop())

/**
 * Makes an object of each kind in the first project. First removes the earlier objects, because a project may have only
 * a few of some kinds.
 */
async function makeNames() {
  const { db, clock } = app.tools
  const { project } = store
  const projectId = project.id
  await db.webhookEndpoint.deleteMany({ where: { projectId } })
  await db.invitation.deleteMany({ where: { projectId, role: 'viewer' } })
  await db.person.deleteMany({ where: { name: 'Another member', memberships: { some: { projectId } } } })
  const objects = await makeObjects(app, store)
  const otherId = await join(app.tools, project, 'developer', { name: 'Another member' })
  const { invitation } = await invite(db, clock, project, { role: 'viewer', invitedBy: null })
  return {
    ...objects,
    otherMember: `member_${project.slug}_${otherId}`,
    invitation: `invitation_${project.slug}_${invitation.id}`,
  }
}

/** Resets the budget of the test's address, which the callers with refused tokens would use up. */
async function forgetAddress(): Promise<void> {
  const { subject, windows } = anonymousCharge('127.0.0.1')
  await app.tools.limiter.delete(subject, { windows })
}

/**
 * Counts the project's rows in the tables `told` and `events`. Every change in the project writes a row into one of
 * these tables, also a change of members or keys.
 */
async function changesOf({ project }: TestProject): Promise<unknown> {
  const { db } = app.tools
  const [row] = await db.$queryRaw<object[]>`
    SELECT (SELECT count(*) FROM told WHERE project_id = ${project.id}) +
      (SELECT count(*) FROM events WHERE project_id = ${project.id}) AS count`
  return row
}

describe('each caller', () => {
  it('the test table has 29 GraphQL operations, and names the expected outcome of each operation for each of ten callers', () => {
    const widths = Object.values(operations).map(([marks]) => marks.replaceAll(' ', '').length)

    expect([Object.keys(operations).length, callers.length]).toEqual([29, 10])
    expect(new Set(widths)).toEqual(new Set([callers.length]))
  })

  it.each(Object.entries(operations))(
    'each caller may do %s exactly as the role says, and a refusal changes nothing',
    async (_, [marks, missing, query]) => {
      const expected = [...marks.replaceAll(' ', '')]
      await forgetAddress()
      let names = await makeNames()
      const before = await changesOf(store)
      const seen: [string, string[]][] = []
      const isInside = (n: number) => n < 3 || n === 9
      const order = callers.map((_, n) => n).sort((a, b) => Number(isInside(a)) - Number(isInside(b)))
      for (const n of order) {
        const passes = isInside(n) && expected[n] === '+'
        const answer = await sendGraphql(app.url, secrets[n] ?? '', query(names))
        seen[n] = [callers[n] ?? '', codesOf(answer)]
        if (!isInside(n)) {
          expect(answer.text, callers[n]).not.toMatch(/Pet \d/)
          expect(await changesOf(store), callers[n]).toEqual(before)
        }
        if (passes && query(names).startsWith('mutation')) names = await makeNames()
      }

      expect(seen).toEqual(callers.map((who, n) => [who, outcomes[expected[n] ?? '']?.(missing)]))
    },
  )
})

describe('each caller at the other APIs', () => {
  const ok = { list: 200, get: 200, add: 201 }
  const none = { list: 401, get: 401, add: 401 }
  const elsewhere = { list: 200, get: 404 }
  const statuses = [
    ...[{ ...ok, add: 403 }, ok, ok],
    ...[403, 201, 201].map(add => ({ ...elsewhere, add })),
    ...[none, none, { list: 403, get: 403, add: 403 }, none],
  ]

  it('each caller gets from /v1 what the role allows', async () => {
    await forgetAddress()
    const { pet } = await makeNames()
    const answers = []
    for (const secret of secrets) {
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
      const body = '{"name":"New","categoryId":1}'
      const [list, get, add] = [
        await app.ask('/v1/pets', { headers }),
        await app.ask(`/v1/pets/${pet}`, { headers }),
        await app.ask('/v1/pets', { headers, method: 'POST', body }),
      ]
      answers.push({ list: list.status, get: get.status, add: add.status })
    }

    expect(answers).toEqual(statuses)
  })

  it('each caller at /mcp sees the tools that the role allows, and can call no tool outside the role', async () => {
    await forgetAddress()
    const { pet } = await makeNames()
    const names = ['list_pets', 'get_pet', 'add_pet'] as const
    const answers = []
    for (const secret of secrets) {
      const send = (method: string, params: object) =>
        app.ask('/mcp', {
          method: 'POST',
          headers: {
            ...{ authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
            accept: 'application/json, text/event-stream',
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        })
      const call = async (name: string, args: object) => {
        const { status, text } = await send('tools/call', { name, arguments: args })
        if (status !== 200) return status
        const [, refusal] = /\\"status\\":(\d+)/.exec(text) ?? []
        return text.includes('"isError":true') ? Number(refusal) : name === 'add_pet' ? 201 : 200
      }
      const { text } = await send('tools/list', {})
      answers.push({
        list: await call('list_pets', {}),
        get: await call('get_pet', { petId: pet }),
        add: await call('add_pet', { name: 'New', categoryId: '1' }),
        tools: names.filter(name => text.includes(`"${name}"`)),
      })
    }

    const shown = (n: number) => {
      const isOut = statuses[n]?.list === 401
      const isViewer = n % 3 === 0 && n < 6
      return isOut ? [] : names.filter(name => !(isViewer && name === 'add_pet'))
    }
    expect(answers).toEqual(statuses.map((expected, n) => ({ ...expected, tools: shown(n) })))
  })
})
