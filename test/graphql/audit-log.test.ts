import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { numberAll } from '../support/events.ts'
import { fill } from '../support/fill.ts'
import { codesOf, graphqlOf, sendGraphql } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-audit-0123456789abcdef'
let app: App
let store: TestProject
let send: ReturnType<typeof graphqlOf>
beforeAll(async () => {
  app = await startApp({ env: { OPERATOR_KEY: `mara:${operatorKey}` } })
  store = await app.makeProject()
  send = graphqlOf(app, store)
})
afterAll(() => app.stop())

const asOperator = (query: string) => sendGraphql(app.url, operatorKey, query)
const fields = `id eventId type at projectSlug actor { type id name } door address requestId subject data previous`

test('the audit log over GraphQL shows who issued a key, and REST shows the same entry with the same event id', async () => {
  await send('mutation { apiKeyIssue(input: { name: "Till", scopes: [pets_read] }) { apiKey { id } } }')
  await numberAll(app.tools)

  const { data } = await send(`{ auditLog(first: 1, types: ["api_key.issued"]) { nodes { ${fields} } } }`)
  const rest = await store.get('/v1/events?kind=management&type=api_key.issued')

  const [entry] = data.auditLog.nodes
  expect(entry).toMatchObject({
    ...{ type: 'api_key.issued', projectSlug: store.project.slug, door: 'graphql', previous: null },
    ...{ actor: { type: 'api_key', id: store.keyId }, data: { name: 'Till', scopes: ['pets:read'] } },
    id: `entry_${store.project.slug}_${entry.eventId}`,
  })
  const { eventId: id, at: timestamp, actor, door, address, requestId, subject, type } = entry
  expect((rest.json as object[]).at(-1)).toMatchObject({
    ...{ id, timestamp, actor, door, subject, type, data: entry.data },
    ...(address && { address }),
    ...(requestId && { requestId }),
  })
})

test("an operator sees the audit entries of all projects and of the service, with the operator's name as actor", async () => {
  const other = await app.makeProject()
  await asOperator(
    `mutation { projectSuspend(input: { id: "project_${other.project.slug}" }) { project { id } } }`,
  )
  await app.tools.db.$executeRaw`UPDATE plans SET requests_per_day = requests_per_day WHERE name = 'free'`
  await numberAll(app.tools)

  const { data } = await asOperator(`{
    all: auditLog(first: 100) { nodes { ${fields} } }
    one: auditLog(slug: "${other.project.slug}", actor: "operator:mara") { nodes { type actor { type name } } }
    service: auditLog(types: ["plan.limits_changed"]) { nodes { projectSlug actor { type } } }
  }`)

  const slugs = new Set(data.all.nodes.map((node: { projectSlug: string }) => node.projectSlug))
  expect([...slugs]).toEqual(expect.arrayContaining([store.project.slug, other.project.slug]))
  expect(data.one.nodes).toEqual([{ type: 'project.suspended', actor: { type: 'operator', name: 'mara' } }])
  expect(data.service.nodes[0]).toEqual({ projectSlug: null, actor: { type: 'database' } })
  const times = data.all.nodes.map(({ at }: { at: string }) => at)
  expect(times).toEqual(times.toSorted().reverse())
})

test('the audit log needs project:read, and a cursor is valid only for the project whose log it comes from', async () => {
  const reader = await store.issueKey(['pets:read', 'events:read'])
  const other = await app.makeProject()
  const query = '{ auditLog(first: 1) { nodes { id } pageInfo { endCursor } } }'
  expect(codesOf(await sendGraphql(app.url, reader.secret, query))).toEqual(['insufficient_scope'])
  expect(codesOf(await send(`{ auditLog(slug: "${other.project.slug}") { nodes { id } } }`))).toEqual([
    'project_not_found',
  ])
  const own = (await send(query)).data.auditLog.pageInfo.endCursor
  const all = (await asOperator(query)).data.auditLog.pageInfo.endCursor
  for (const cursor of [own, all]) {
    const answer = await graphqlOf(app, other)(`{ auditLog(after: "${cursor}") { nodes { id } } }`)
    expect(codesOf(answer)).toEqual(['invalid_input'])
  }
  expect(codesOf(await asOperator(`{ auditLog(after: "${own}") { nodes { id } } }`))).toEqual([
    'invalid_input',
  ])
})

test('REST has the filters of the audit log, and rejects them for other events', async () => {
  await numberAll(app.tools)
  const get = async (query: string) => {
    const answer = await store.get(`/v1/events?${query}`)
    return answer.status === 200 ? (answer.json as { type: string }[]).length : answer.json
  }
  const now = new Date(Date.now() + 60_000).toISOString()
  const all = await get('kind=management')

  expect(await get(`kind=management&until=${now}`)).toEqual(all)
  expect(await get(`kind=management&since=${now}`)).toBe(0)
  expect(await get(`kind=management&actor=api_key:${store.keyId}`)).toBeGreaterThan(0)
  expect(await get('kind=management&actor=operator')).toBe(0)
  const refused = { actor: 'robot', since: 'yesterday', until: '2026-13-01T00:00:00Z' }
  for (const [field, value] of [...Object.entries(refused), ['actor', 'operator:']])
    expect(await get(`kind=management&${field}=${value}`)).toMatchObject({ details: [{ field }] })
  for (const field of Object.keys(refused))
    expect(await get(`${field}=${field === 'actor' ? 'operator' : now}`)).toMatchObject({
      details: [{ field, message: 'is only for kind=management' }],
    })
})

test('several filtered pages of the audit log and of events in one operation are read one after the other', async () => {
  const { database } = app.tools
  const { run } = database
  let [running, most, count] = [0, 0, 0]
  const spy = vi.spyOn(database, 'run').mockImplementation(async statement => {
    if (!/^read_(own_audit|events)/.test(statement.name)) return run(statement)
    most = Math.max(most, ++running)
    count++
    return run(statement).finally(() => running--)
  })
  const query = `{
    a: auditLog(actor: "api_key:nobody") { nodes { id } } b: auditLog(last: 5, subject: "key:0") { nodes { id } }
    c: events(first: 5, subject: "pet:0") { nodes { id } } d: events(last: 5, subject: "pet:0") { nodes { id } }
  }`
  const rest = `/v1/events?kind=management&actor=api_key:nobody`
  const answers = await Promise.all([send(query), store.get(rest), store.get(rest)])
  spy.mockRestore()

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect([most, count]).toEqual([1, 6])
})

test('a filtered page of the audit log has cursors that lead past the skipped entries, in both directions', async () => {
  const { project } = await app.makeProject()
  const [db, most] = [app.tools.db, 5_100]
  await numberAll(app.tools)
  await db.event.deleteMany({ where: { projectId: project.id } })
  await fill(
    app.tools,
    `INSERT INTO events (project_id, era, number, at, is_management, type, data, actor)
     SELECT ${project.id}, (SELECT era FROM event_era), n, now() + n * interval '1 second', true,
       CASE WHEN n IN (1, ${most}) THEN 'api_key.banned' ELSE 'api_key.refused' END, '{}', '{"type":"operator","name":"m"}'
     FROM generate_series(1, ${most}) AS n`,
  )
  const ask = async (args: string, slug = `slug: "${project.slug}"`) => {
    const query = `{ auditLog(${slug} types: ["api_key.banned"] ${args}) {
      nodes { eventId } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`
    const { nodes, pageInfo } = (await asOperator(query)).data.auditLog
    return { ...pageInfo, numbers: nodes.map((node: { eventId: string }) => node.eventId.split('-')[1]) }
  }

  for (const slug of [undefined, '']) {
    const first = await ask('first: 10', slug)
    const second = await ask(`first: 10 after: "${first.endCursor}"`, slug)
    const last = await ask('last: 10', `slug: "${project.slug}"`)
    const before = await ask(`last: 10 before: "${last.startCursor}"`)

    expect([first.numbers, first.hasNextPage]).toEqual([[String(most)], true])
    expect([second.numbers, second.hasNextPage]).toEqual([
      ['1'],
      slug === undefined ? false : expect.anything(),
    ])
    expect([last.numbers, last.hasPreviousPage]).toEqual([['1'], true])
    expect([before.numbers, before.hasPreviousPage]).toEqual([[String(most)], false])
  }
  await db.event.deleteMany({ where: { projectId: project.id } })
})
