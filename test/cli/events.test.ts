import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../support/command-line.ts'
import { numberAll } from '../support/events.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
let receiver: Receiver
beforeAll(async () => {
  // Webhooks to this machine are allowed with the embedded database alone.
  app = await startApp({ env: { DATABASE_URL: '' } })
  store = await app.makeProject()
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.stop()
  await app.stop()
})

const env = () => ({ ANIMAL_STORE_URL: app.url, ANIMAL_STORE_KEY: store.secret })
const cli = (...args: string[]) => runCommand(env(), args)
const json = async (...args: string[]) => JSON.parse((await cli(...args, '--json')).output)

/** Makes an event, and returns its id. */
async function newestEvent(): Promise<string> {
  await store.post('/v1/pets', { name: 'First', categoryId: 1 })
  await numberAll(app.tools)
  return (await json('events', 'list', '--limit', '100')).items.at(-1).id
}

/** Starts a command that runs until it is stopped, and reads its lines. */
function start(...args: string[]) {
  const child = spawn(process.execPath, ['src/cli/bin.js', ...args], {
    env: { PATH: process.env.PATH, HOME: '/nonexistent', ...env() },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
}

it('tail prints each event on a line of JSON, and ends with Ctrl-C', async () => {
  const { child, lines } = start('events', 'tail', '--after', await newestEvent(), '--json')
  await store.post('/v1/pets', { name: 'Rex', categoryId: 1 })
  await store.post('/v1/pets', { name: 'Max', categoryId: 1 })

  const seen = [await lines.next(), await lines.next()].map(({ value }) => JSON.parse(value ?? ''))
  expect(seen).toMatchObject([{ data: { name: 'Rex' } }, { data: { name: 'Max' } }])
  expect(Number(seen[1].number)).toBe(Number(seen[0].number) + 1)
  child.kill('SIGINT')
  expect((await once(child, 'exit'))[0]).toBe(0)
})

it('listen relays events with a signature that verifies, prints each status, and goes on after a failure', async () => {
  const after = await newestEvent()
  receiver.answerNext(500)
  const { child, lines } = start(
    'webhooks',
    'listen',
    '--forward-to',
    receiver.url,
    '--after',
    after,
    '--json',
  )
  const { value: told } = await createInterface({ input: child.stderr })[Symbol.asyncIterator]().next()
  const secret = /whsec_\S+/.exec(told ?? '')?.[0] ?? ''
  for (const name of ['One', 'Two'])
    await store.post('/v1/pets', `{"name":"${name}","categoryId":9007199254740993}`)

  const seen = [await lines.next(), await lines.next()].map(({ value }) => JSON.parse(value ?? ''))
  expect(seen).toMatchObject([
    { type: 'pet.created', status: 500 },
    { type: 'pet.created', status: 204 },
  ])
  for (const { body, headers } of receiver.received)
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'pet.created',
    })
  expect(receiver.received.at(-1)?.body).toContain('"categoryId":9007199254740993')
})

it('an endpoint is added, shown, changed, tested, rotated, rewound and removed', async () => {
  const added = await json('webhooks', 'add', receiver.url, '--type', 'order.placed', '--description', 'Till')
  const changed = await json('webhooks', 'change', added.id, '--type', 'pet.deleted', '--disable')
  const tested = await json('webhooks', 'test', added.id)
  const rotated = await json('webhooks', 'rotate', added.id)
  const rewound = await json('webhooks', 'rewind', added.id, '0')
  const since = await json('webhooks', 'rewind', added.id, '--since', '2026-01-01T00:00:00Z')
  const nowhere = await cli('webhooks', 'rewind', added.id)
  const badTime = await cli('webhooks', 'rewind', added.id, '--since', 'yesterday')
  const listed = await cli('webhooks', 'list')
  const attempts = await cli('webhooks', 'deliveries', added.id)
  const refused = await cli('webhooks', 'remove', added.id)
  const removed = await cli('webhooks', 'remove', added.id, '--yes')

  expect(added).toMatchObject({ types: ['order.placed'], description: 'Till', secret: /^whsec_/ })
  expect(changed).toMatchObject({ types: ['pet.deleted'], enabled: false })
  expect(tested).toMatchObject({ status: 204 })
  expect(rotated.secret).not.toBe(added.secret)
  expect([rewound.id, since.id]).toEqual([added.id, added.id])
  expect([nowhere.exitCode, badTime.exitCode]).toEqual([2, 2])
  expect(listed.output).toContain(added.id)
  expect(attempts.output).toContain('webhook.test')
  expect(refused.exitCode).toBe(2)
  expect(removed.output).toBe(`Endpoint ${added.id} is gone.\n`)
  expect((await cli('webhooks', 'show', added.id)).exitCode).toBe(4)
})

it('activity shows the audit log, and exports it without a cell that a spreadsheet would run', async () => {
  await json('keys', 'issue', '=1+1', '--scopes', 'pets:read')
  await numberAll(app.tools)

  const shown = await cli('activity', '--type', 'api_key.issued', '--actor', `api_key:${store.keyId}`)
  const csv = await cli('activity', '--export', 'csv', '--type', 'api_key.issued')
  const lines = (await cli('activity', '--export', 'ndjson', '--type', 'api_key.issued')).output
    .trim()
    .split('\n')
  const none = await json('activity', '--until', '2020-01-01T00:00:00Z')

  expect(shown.output).toMatch(/api_key .* api_key\.issued +api_key:\S+ +graphql/)
  expect(csv.output.split('\r\n')[0]).toBe(
    'id,type,timestamp,actorType,actorId,actorName,door,address,requestId,subject,data,previous',
  )
  expect(csv.output.trim().split('\r\n')).toHaveLength(lines.length + 1)
  expect(csv.output).not.toMatch(/(^|,)"?[=+@-]/m)
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ actor: { type: 'api_key' }, data: { name: '=1+1' } })
  expect(none.items).toEqual([])
})
