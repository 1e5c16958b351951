import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { ask } from '../support/ask.ts'
import { numberAll } from '../support/events.ts'
import { readStream } from '../support/read-stream.ts'
import { startReceiver } from '../support/receiver.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
beforeAll(async () => {
  // Webhooks to this machine are allowed with the embedded database alone.
  app = await startApp({ env: { DATABASE_URL: '' } })
  store = await app.makeProject()
})
afterAll(() => app.stop())

const guide = (name: string) => readFileSync(`docs/${name}.md`, 'utf8')

it('a stream of events begins with the lines that docs/events.md shows', async () => {
  const [, shown = ''] = /```text\n([\s\S]*?)```/.exec(guide('events')) ?? []
  const withoutIds = (text: string) =>
    text
      .replace(/[0-9a-f]{8}-\d+/g, 'ID')
      .trim()
      .split('\n')

  const stream = await readStream(`${app.url}/v1/events`, { authorization: `Bearer ${store.secret}` })
  await expect.poll(() => stream.text()).toContain('id: ')
  stream.close()

  expect(withoutIds(stream.text())).toEqual(withoutIds(shown))
})

it('redeliver and rewind take the bodies that docs/webhooks.md shows', async () => {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  const [about = ''] = /- `POST \/v1\/webhooks\/\{id\}\/redeliver`[\s\S]*?\n- /.exec(guide('webhooks')) ?? []
  const bodies = [...about.matchAll(/`(\{"[^`]*\})`/g)].map(([, body = '']) => body)
  await store.post('/v1/pets', { name: 'Rex', categoryId: 1 })
  await numberAll(app.tools)
  const added = await store.post('/v1/webhooks', { url: receiver.url })
  const { id } = added.json as { id: string }

  const statuses = await Promise.all(
    bodies.map(async body => {
      const act = body.includes('event') ? 'redeliver' : 'rewind'
      // The time in the guide may still be to come, which is refused.
      const past = body.replace(/(?<="since": ")[^"]+/, new Date(Date.now() - 60_000).toISOString())
      return (await store.post(`/v1/webhooks/${id}/${act}`, past)).status
    }),
  )

  expect(bodies.map(body => Object.keys(JSON.parse(body))[0])).toEqual(['event', 'after', 'since'])
  expect(statuses).toEqual([204, 200, 200])
})

it("a request takes the client's X-Request-Id of the form in docs/errors.md, and answers with its traceparent", async () => {
  const [, most = ''] =
    /if it has at most (\d+)\s+letters, digits, `_`, `\.` and `-`/.exec(guide('errors')) ?? []
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  const idFor = async (id: string) =>
    (await ask(`${app.url}/livez`, { headers: { 'x-request-id': id, traceparent } })).headers
  const longest = 'aZ0_.-'.padEnd(Number(most), 'x')

  expect(guide('errors')).toContain('`traceparent` comes back in the answer')
  expect(await idFor(longest)).toMatchObject({ 'x-request-id': longest, traceparent })
  for (const id of [`${longest}x`, 'two words', 'a/b']) expect((await idFor(id))['x-request-id']).not.toBe(id)
})

it.each(['2025-11-25', '2025-06-18', '2025-03-26'])(
  'an agent is answered in the revision %s, which docs/mcp.md names',
  async protocolVersion => {
    const clientInfo = { name: 'x', version: '1' }
    const params = { protocolVersion, capabilities: {}, clientInfo }

    const { text } = await ask(`${app.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${store.secret}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    })

    expect(text).toContain(`"protocolVersion":"${protocolVersion}"`)
    expect(guide('mcp').split('\n\n')[1]).toContain(protocolVersion)
  },
)
