import { afterAll, beforeAll, expect, it } from 'vitest'
import { mostEntriesScanned } from '../../src/core/events/audit-log.ts'
import { exportAudit } from '../../src/core/events/export.ts'
import { numberAll } from '../support/events.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const path = '/v1/events/export'
let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const linesOf = (text: string) => text.split('\n').filter(Boolean)
const remaining = (answer: { headers: Record<string, unknown> }) =>
  Number(answer.headers['x-ratelimit-remaining'])

/**
 * Makes a project with three entries of two actors: issues and renames a key over GraphQL, and changes the project by
 * SQL.
 */
async function makeBusyProject(name = 'Till'): Promise<TestProject> {
  const store = await app.makeProject()
  const issue = `mutation ($name: String!) { apiKeyIssue(input: { name: $name, scopes: [pets_read] }) { apiKey { id } } }`
  const { json } = await store.post('/graphql', { query: issue, variables: { name } })
  const { id } = (json as { data: { apiKeyIssue: { apiKey: { id: string } } } }).data.apiKeyIssue.apiKey
  const query = `mutation { apiKeyRename(input: { id: "${id}", name: "Desk" }) { apiKey { id } } }`
  await store.post('/graphql', { query })
  await app.tools.db.$executeRaw`UPDATE projects SET name = '=by, "SQL"' WHERE id = ${store.project.id}`
  await store.post('/v1/pets', { name: 'Rex', categoryId: 1 })
  await numberAll(app.tools)
  return store
}

/** Fills the audit log of a project with this many entries, a limited number per statement. */
async function fill({ project }: TestProject, count: number, type: string): Promise<void> {
  for (let from = 1; from <= count; from += 5_000)
    await app.tools.db.$executeRaw`
      INSERT INTO events (project_id, era, number, at, is_management, type, data, actor)
      SELECT ${project.id}, (SELECT era FROM event_era), n, now() - interval '1 day', true, ${type}, '{}',
        '{"type":"operator","name":"mara"}'
      FROM generate_series(${from}::int, ${Math.min(count, from + 4_999)}::int) AS n`
  await app.tools.db
    .$executeRaw`INSERT INTO event_numbers (project_id, last) VALUES (${project.id}, ${count})`
}

it('an export has every entry of the audit log of its project, the oldest first, as the list shows it', async () => {
  const [store] = [await makeBusyProject(), await makeBusyProject()]

  const { text, headers } = await store.get(path)

  const { text: listed } = await store.get('/v1/events?kind=management')
  expect(`[${linesOf(text).join(',')}]`).toBe(listed)
  expect(linesOf(text).map(line => JSON.parse(line).type)).toEqual([
    'api_key.issued',
    'api_key.changed',
    'project.changed',
  ])
  expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
  expect(headers['content-disposition']).toBe('attachment; filename="activity.ndjson"')
  const asked = await store.get(`${path}?kind=management`)
  expect(asked.text).toBe(text)
})

it('the audit log as CSV has a column for each field, and with safe=1 no cell that a spreadsheet would run', async () => {
  const store = await makeBusyProject('=1+1')
  const entries = linesOf((await store.get(path)).text).map(line => JSON.parse(line))
  const { id, timestamp, subject, data, previous, requestId, address } = entries[1]

  const csv = await store.get(`${path}?format=csv`)
  const safe = await store.get(`${path}?format=csv&safe=1`)

  const [head, , second, third, end] = csv.text.split('\r\n')
  const quoted = (json: object) => `"${JSON.stringify(json).replaceAll('"', '""')}"`
  expect(head).toBe(
    'id,type,timestamp,subject,actorType,actorId,actorName,door,address,requestId,data,previous',
  )
  expect(second?.replaceAll(' ', '')).toBe(
    [
      ...[id, 'api_key.changed', timestamp, subject, 'api_key', store.keyId, 'test', 'graphql'],
      ...[address ?? '', requestId, quoted(data), quoted(previous)],
    ].join(','),
  )
  expect(third).toMatch(/,project:[\w-]+,database,,database:\w+,,,,/)
  expect(end).toBe('')
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
  expect(csv.headers['content-disposition']).toBe('attachment; filename="activity.csv"')
  expect(safe.text).toBe(csv.text)
  await app.tools.db.$executeRaw`
    UPDATE events SET actor = '{"type":"operator","name":"=mara"}', request_id = '-1' WHERE project_id = ${store.project.id}`
  expect((await store.get(`${path}?format=csv`)).text).toContain(',operator,,=mara,')
  const { text } = await store.get(`${path}?format=csv&safe=1`)
  expect(text).toContain(",operator,,'=mara,graphql,")
  expect(text).toContain(",'-1,")
})

it.each([
  'type=api_key.issued',
  'type=api_key.issued,project.changed',
  'actor=database',
  'actor=api_key&type=api_key.changed',
  'subject=nothing:1',
  'since=2001-01-01T00:00:00Z',
  'until=2001-01-01T00:00:00Z',
])('an export has the entries that match the filters: %s', async filters => {
  const store = await makeBusyProject()

  const { text } = await store.get(`${path}?${filters}`)

  expect(`[${linesOf(text).join(',')}]`).toBe((await store.get(`/v1/events?kind=management&${filters}`)).text)
})

it('an audit log export reports all unknown values at once, and refuses a key without project:read', async () => {
  const store = await makeBusyProject()
  const reader = await store.issueKey(['pets:read', 'events:read'])
  const wrong = { format: 'xml', kind: 'store', type: 'pet.created', actor: 'robot', since: 'yesterday' }

  const refused = await store.get(`${path}?${new URLSearchParams(wrong)}&subject=x&until=x&safe=1`)

  const { details } = refused.json as { details: { field: string }[] }
  expect(details.map(({ field }) => field).toSorted()).toEqual(
    [...Object.keys(wrong), 'safe', 'subject', 'until'].toSorted(),
  )
  for (const query of ['limit=5', 'after=x', 'fromat=csv'])
    expect((await store.get(`${path}?${query}`)).status, query).toBe(400)
  expect((await reader.get(path)).json).toMatchObject({ code: 'insufficient_scope' })
  expect((await store.delete(path)).headers.allow).toBe('GET, HEAD, OPTIONS')
})

it('an audit log export costs one request for each begun thousand entries, but at most the project’s requests of one minute, and HEAD reports the price', async () => {
  const store = await app.makeProject()
  const small = await app.makeProject({ perMinute: 2 })
  await fill(store, 6_001, 'api_key.refused')
  await fill(small, 6_001, 'api_key.refused')
  const before = remaining(await store.get('/v1/pets'))

  const head = await store.ask(path, { method: 'HEAD' })
  const all = await store.get(path)
  const none = await store.get(`${path}?format=xml`)

  expect([head.headers['x-ratelimit-cost'], remaining(head), head.text]).toEqual(['7', before - 1, ''])
  expect([all.headers['x-ratelimit-cost'], remaining(all)]).toEqual(['7', before - 8])
  expect([none.status, remaining(none)]).toEqual([400, before - 9])
  const numbers = linesOf(all.text).map(line => JSON.parse(line).number)
  expect(numbers).toEqual(Array.from({ length: 6_001 }, (_, n) => n + 1))
  const whole = await small.get(path)
  expect([whole.headers['x-ratelimit-cost'], linesOf(whole.text).length]).toEqual(['2', 6_001])
})

it('a filtered audit log export finds each matching entry, even if one read cannot compare all entries that come before the matching entry', async () => {
  const store = await app.makeProject()
  const most = mostEntriesScanned + 10
  await fill(store, most, 'api_key.refused')
  await app.tools.db.$executeRaw`
    UPDATE events SET type = 'plan.changed' WHERE project_id = ${store.project.id} AND number IN (1, ${most})`

  const { text } = await store.get(`${path}?type=plan.changed`)

  expect(linesOf(text).map(line => JSON.parse(line).number)).toEqual([1, most])
})

it('an audit log export leaves out entries that are written while the export runs, and ends', async () => {
  const store = await app.makeProject()
  await fill(store, 1_200, 'api_key.refused')
  const all = { types: null, subject: null, actor: null, since: null, until: null }
  const numbers: bigint[] = []

  for await (const page of exportAudit(app.tools.database, store.project, all)) {
    numbers.push(...page.map(({ number }) => number))
    await app.tools.db.$executeRaw`
      INSERT INTO events (project_id, era, number, at, is_management, type, data, actor)
      SELECT ${store.project.id}, era, (SELECT max(number) FROM events WHERE project_id = ${store.project.id}) + n, now(), true,
        'api_key.refused', '{}', '{"type":"system","name":"x"}'
      FROM event_era, generate_series(1, 600) AS n`
  }

  expect(numbers).toHaveLength(1_200)
})

it('an audit log export without entries is empty, or only the header line in CSV', async () => {
  const store = await app.makeProject()

  expect((await store.get(path)).text).toBe('')
  expect((await store.get(`${path}?format=csv`)).text).toMatch(/^id,type,[\w,]+\r\n$/)
})
