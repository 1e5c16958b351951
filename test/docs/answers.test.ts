import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { aMoment } from '../support/a-moment.ts'
import { ask } from '../support/ask.ts'
import { commandsOf, notTyped } from '../support/documents.ts'
import { numberAll } from '../support/events.ts'
import { findProgram } from '../support/programs.ts'
import { readStream } from '../support/read-stream.ts'
import { startReceiver } from '../support/receiver.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { typeCommand } from '../support/type-command.ts'

const operatorKey = 'o'.repeat(32)

let app: App
let store: TestProject
beforeAll(async () => {
  // The service allows webhooks to this machine only with the embedded database.
  app = await startApp({ env: { DATABASE_URL: '', OPERATOR_KEY: operatorKey } })
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

  const statuses: number[] = []
  // Send the requests in the order of the guide: first redeliver, then rewind. The service redelivers only events that
  // count as sent, and after a rewind the event counts as not yet sent to the endpoint.
  for (const body of bodies) {
    const act = body.includes('event') ? 'redeliver' : 'rewind'
    // The time in the guide may still be in the future, which the service refuses.
    const past = body.replace(/(?<="since": ")[^"]+/, new Date(Date.now() - 60_000).toISOString())
    statuses.push((await store.post(`/v1/webhooks/${id}/${act}`, past)).status)
  }

  expect(bodies.map(body => Object.keys(JSON.parse(body))[0])).toEqual(['event', 'after', 'since'])
  expect(statuses).toEqual([204, 200, 200])
})

it('an answer returns the traceparent of its request, and the X-Request-Id too if it has the form in docs/errors.md', async () => {
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
  'the MCP API answers an agent in the protocol revision %s, which docs/mcp.md names',
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

/** The outputs of the commands of each document, in their order. */
const guides: Record<string, RegExp[]> = {
  'README.md': [/"name":"Rex"/, /^\{"data":.*"name":"Rex"/],
  'docs/events.md': [/"type":"pet.created"/, /^\[/, /^$/, /^$/, /^$/, /^retry: 2000\n$/],
  'docs/graphql.md': [/^\{"data":.*"name":"Rex"/],
  'docs/keys.md': [/"hours":\[\{"at":/, /^Received/, /^\{"received":1\}/, /as_\w{34}/],
  'docs/usage.md': [/^\[/, /^keyId,keyPrefix,requests/, /^keyId,keyPrefix,requests/],
  'docs/webhooks.md': [/"secret":"whsec_/],
}

it.skipIf(!findProgram('curl') || !findProgram('bash')).each(Object.entries(guides))(
  'the commands of %s work while other projects write',
  async (document, answers) => {
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-guides-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    // Let curl fail if the service refuses a request, and let it print no progress.
    writeFileSync(join(folder, '.curlrc'), 'silent\nshow-error\nfail\n')
    await store.post('/v1/pets', { name: 'Rex', categoryId: 1 })
    await numberAll(app.tools)
    const [event] = (await store.get('/v1/events?limit=1')).json as { id: string }[]
    const commands = commandsOf(document, 'sh').filter(({ command }) => !(command in notTyped))
    const stopWriting = await keepWriting()

    const ended = []
    for (const { command } of commands) {
      const other = await store.issueKey()
      const here = command
        .replace(/http:\/\/localhost:4000|https:\/\/store\.example/, app.url)
        .replace('https://shop.example.com/hooks', 'http://localhost:9/hooks')
        .replace('as_...', other.secret)
        .replace('as_4fTq8ZxW', other.secret.slice(0, 11))
        .replace('SUCCESSOR-ID', other.keyId)
        .replace('3f2a91bc-42', event?.id ?? '')
        // Reads the first line of the stream and then kills curl, because closing the pipe earlier would make curl
        // fail.
        .replace(/^curl -N .*/, 'exec 3< <(exec $&); read -r line <&3; echo "$line"; kill $!')
      const key = command.includes('--all-projects') ? operatorKey : store.secret
      const env = { HOME: folder, KEY: key, ANIMAL_STORE_URL: app.url, ANIMAL_STORE_KEY: key }
      ended.push(await typeCommand(`${commandLine}; ${here}`, env, folder))
    }
    const statuses = await stopWriting()

    const expected = answers.map(answer => ({ code: 0, stdout: expect.stringMatching(answer), stderr: '' }))
    expect(ended).toEqual(expected)
    expect(statuses).toEqual([201])
  },
)

/** Defines the command `animal-store` in the shell, as if it were installed. */
const commandLine = `animal-store() { '${process.execPath}' '${resolve('src/cli/bin.js')}' "$@"; }`

/** Creates pets in two other projects until the returned function is called, which returns the statuses. */
async function keepWriting(): Promise<() => Promise<number[]>> {
  const limits = { perMinute: 1e9, perDay: 1e9 }
  const projects = [await app.makeProject(limits), await app.makeProject(limits)]
  const statuses = new Set<number>()
  let isOver = false
  const writing = projects.map(async ({ post }) => {
    while (!isOver) {
      statuses.add((await post('/v1/pets', { name: 'Max', categoryId: 1 })).status)
      await aMoment()
    }
  })
  return async () => {
    isOver = true
    await Promise.all(writing)
    return [...statuses]
  }
}
