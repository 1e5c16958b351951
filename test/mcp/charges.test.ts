import { statSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openResources } from '../../src/mcp/resources.ts'
import { leftOf } from '../support/left.ts'
import { connectAgent } from '../support/mcp.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  const now = Date.now()
  // Time stands still, so that no window ends during a test.
  app = await startApp({ clock: { now: () => now, aheadMs: () => now - Date.now() } })
})
afterAll(() => app.stop())

const call = (id: number | string, name: string, args: object = {}) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name, arguments: args },
})
const greeting = {
  ...{ jsonrpc: '2.0', id: 0, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
}
const accept = { accept: 'application/json, text/event-stream' }
const send = (project: TestProject, body: unknown, headers: Record<string, string> = {}) =>
  project.post('/mcp', body, { ...accept, ...headers })

const left = ({ project }: TestProject) => leftOf(app.tools, project)

it('over MCP, initialization, lists and get_limits are free, and a call of list_pets costs one request', async () => {
  const project = await app.makeProject({ plan: 'free' })
  const agent = await connectAgent(app.url, project.secret, 'legacy')

  await agent.client.listTools()
  const before = await left(project)
  await agent.call('list_pets')
  await agent.call('get_limits')
  const after = await left(project)
  await agent.close()

  expect([before.minute, after.minute]).toEqual([60, 59])
})

it('an MCP batch of five calls costs five requests', async () => {
  const project = await app.makeProject({ plan: 'free' })

  const { status } = await send(
    project,
    [1, 2, 3, 4, 5].map(id => call(id, 'get_inventory')),
  )

  expect([status, (await left(project)).minute]).toEqual([200, 55])
})

it('an MCP batch of more than twenty messages is refused and costs no request', async () => {
  const project = await app.makeProject({ plan: 'free' })

  const answer = await send(
    project,
    Array.from({ length: 21 }, (_, id) => call(id, 'get_inventory')),
  )

  expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_input' } })
  expect((await left(project)).minute).toBe(60)
})

it('tool calls in the older revision of MCP get JSON answers, alone and in a batch, each under its own id', async () => {
  const project = await app.makeProject({ plan: 'free' })

  const alone = await send(project, call('one', 'get_inventory'))
  const batch = await send(project, [call(7, 'get_inventory'), call('x', 'no_such_tool'), call(7, 'get_pet')])

  expect([alone, batch].map(({ headers }) => headers['content-type'])).toEqual(
    Array(2).fill('application/json'),
  )
  expect(alone.json).toMatchObject({ jsonrpc: '2.0', id: 'one', result: { structuredContent: {} } })
  const answers = batch.json as unknown as { id: unknown; error?: object; result?: { isError?: true } }[]
  expect(
    answers
      .map(({ id, error, result }) => [id, error ? 'error' : result?.isError ? 'refused' : 'answered'])
      .sort(),
  ).toEqual([
    [7, 'answered'],
    [7, 'refused'],
    ['x', 'error'],
  ])
})

it.each([
  ['an Accept without events', { accept: 'application/json' }, 406],
  ['an unknown revision', { 'mcp-protocol-version': '1999-01-01' }, 400],
  ['the newer revision without its envelope', { 'mcp-protocol-version': '2026-07-28' }, 400],
])(
  'a tool call with %s is refused by the protocol and takes nothing from the request limit',
  async (_what, headers, status) => {
    const project = await app.makeProject({ plan: 'free' })

    const answer = await send(project, call(1, 'get_inventory'), headers)

    expect([answer.status, (await left(project)).minute]).toEqual([status, 60])
  },
)

it.each([1, 2])(
  'an MCP batch of %i calls is answered although the batch also cancels one of them',
  async count => {
    const project = await app.makeProject()
    const calls = Array.from({ length: count }, (_, id) => call(id, 'get_inventory'))
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 0 } }

    const answered = await send(project, [...calls, cancel])

    expect(answered.status).toBe(200)
    const answers = answered.json as unknown as { id: unknown }[]
    // JSON-RPC leaves the order of a batch's answers open.
    expect(answers.map(({ id }) => id).toSorted()).toEqual(calls.map(({ id }) => id))
  },
)

it('each refused call of an MCP batch counts towards the delay of later refusals', async () => {
  const project = await app.makeProject({ plan: 'enterprise', perMinute: 1, perDay: 100 })
  const batch = Array.from({ length: 20 }, (_, id) => call(id, 'get_inventory'))
  const begun = performance.now()

  for (let n = 0; n < 8; n++) await send(project, batch)

  // 100 of the 159 refusals are sent at once, and the others at 30 a second. No refusal is delayed by more than a
  // second.
  expect(performance.now() - begun).toBeGreaterThan(400)
})

it('a tool call beyond the limit returns a result that says when to retry', async () => {
  const project = await app.makeProject({ plan: 'enterprise', perMinute: 1, perDay: 100 })
  const agent = await connectAgent(app.url, project.secret)

  await agent.call('list_pets')
  const refused = await agent.call('list_pets')
  const limits = await agent.call('get_limits')
  await agent.close()

  expect(refused).toMatchObject({
    isError: true,
    json: { code: 'rate_limited', status: 429 },
  })
  expect(refused.json.retryAfterSeconds).toBeGreaterThan(30)
  // The limiter's clock may differ from the test's by a millisecond.
  expect(refused.json.retryAfterSeconds).toBeLessThanOrEqual(61)
  expect(refused.structured).toBeUndefined()
  expect(limits.json.windows).toContainEqual(expect.objectContaining({ name: 'minute', remaining: 0 }))
})

it('MCP list requests are free up to a fixed pace; faster lists are charged to the management budget, and refused when the budget is used up', async () => {
  const project = await app.makeProject({ plan: 'free' })
  const lists = Array.from({ length: 20 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }))

  const statuses: number[] = []
  for (let i = 0; i < 19; i++) statuses.push((await send(project, lists)).status)

  expect(statuses).toEqual([...Array(18).fill(200), 429])
  expect((await left(project)).minute).toBe(60)
})

const readsOf = (uri: string, count: number) =>
  Array.from({ length: count }, (_, id) => ({
    ...{ jsonrpc: '2.0', id, method: 'resources/read' },
    params: { uri: `pet-store://${uri}` },
  }))

it('over MCP, reading a resource counts as one message for each started 50 KB of the resource', async () => {
  const project = await app.makeProject({ plan: 'free' })
  const contract = Math.ceil(statSync('openapi.yaml').size / 50_000)

  await send(project, readsOf('errors', 20))
  for (let free = 40; free >= contract; free -= contract) await send(project, readsOf('openapi.yaml', 1))
  const before = await left(project)
  const answer = await send(project, readsOf('openapi.yaml', 1))
  const after = await left(project)

  expect(answer.json).toMatchObject([{ result: { contents: [{ uri: 'pet-store://openapi.yaml' }] } }])
  expect([before.management, after.management]).toEqual([300, 300 - contract])
})

it('an MCP batch that reads more than 1 MB of resources is refused, and all resources fit one batch', async () => {
  const project = await app.makeProject()
  const names = ['errors', 'mcp', 'events', 'webhooks', 'keys', 'usage', 'domains', 'graphql', 'people']
  const each = ['openapi.yaml', ...names].flatMap(name => readsOf(name, 1))

  const refused = await send(project, readsOf('openapi.yaml', 20))
  const all = await send(project, each)

  expect(refused).toMatchObject({ status: 400, json: { code: 'invalid_input' } })
  expect([all.status, (all.json as unknown as unknown[]).length]).toEqual([200, each.length])
})

it('the file of an MCP resource is read only once', () => {
  const read = openResources('https://store.example')

  expect(read('pet-store://mcp')?.text).toContain('https://store.example/mcp')
  expect(read('pet-store://mcp')).toBe(read('pet-store://mcp'))
})

it('a call of a management tool takes nothing from the request limit of the store', async () => {
  const project = await app.makeProject({ plan: 'free' })
  const agent = await connectAgent(app.url, project.secret)

  const { json } = await agent.call('list_api_keys')
  await agent.close()

  expect(JSON.stringify(json)).not.toContain(project.secret)
  expect(json.apiKeys).toMatchObject([{ name: 'test', prefix: project.secret.slice(0, 11), state: 'active' }])
  expect((await left(project)).minute).toBe(60)
})

it('every answer of /mcp has the rate limit headers', async () => {
  const project = await app.makeProject({ plan: 'free' })

  const answers = [
    await send(project, { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    await send(project, call(1, 'list_pets')),
    await send(project, '{'),
    await project.get('/mcp'),
    await app.ask('/mcp', { method: 'POST', body: '{}' }),
  ]

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 405, 401])
  for (const { headers } of answers) expect(headers).toHaveProperty('x-ratelimit-remaining')
})

it('the usage of a project counts each MCP tool call as one request that came through the API mcp', async () => {
  const project = await app.makeProject({ plan: 'enterprise', perMinute: 2, perDay: 100 })
  const agent = await connectAgent(app.url, project.secret)

  await agent.call('list_pets')
  await agent.call('get_pet', { petId: '1' })
  await agent.call('list_pets')
  await agent.close()
  await app.tools.usageCounter.flush()
  const rows = await app.tools.db.usage.findMany({ where: { projectId: project.project.id } })

  expect(rows).toMatchObject([{ door: 'mcp', requests: 2n, refusals: 1n, faulty: 1n, failed: 0n }])
  expect(app.tools.metrics.text()).toMatch(/tool_calls_total\{tool="get_pet",outcome="faulty"\} \d/)
})

it('a tool call that is repeated in its MCP session adds no second pet', async () => {
  const project = await app.makeProject()
  const add = call(7, 'add_pet', { name: 'Once', categoryId: '1' })
  const session = async () => String((await send(project, greeting)).headers['mcp-session-id'])
  const [one, other] = [await session(), await session()]

  const texts: string[] = []
  for (const id of [one, one, other])
    texts.push(String((await send(project, add, { 'mcp-session-id': id })).text))
  const { total } = (await project.get('/v1/store/inventory')).json as { total: number }

  expect(texts.map(text => text.includes('\\"replayed\\":true'))).toEqual([false, true, false])
  expect(Number(total)).toBe(2)
})

it('a stolen MCP session id gives no rights', async () => {
  const project = await app.makeProject()
  const session = String((await send(project, greeting)).headers['mcp-session-id'])

  const answer = await app.ask('/mcp', {
    method: 'POST',
    headers: { ...accept, 'content-type': 'application/json', 'mcp-session-id': session },
    body: JSON.stringify(call(1, 'list_pets')),
  })

  expect(answer).toMatchObject({ status: 401, json: { code: 'unauthorized' } })
})
