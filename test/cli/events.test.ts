import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { numberAll } from '../support/events.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { runHere, runWithAnswers } from '../support/run-command.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-tests-0123456789abcdef'
let app: App
let store: TestProject
let receiver: Receiver
beforeAll(async () => {
  // Webhooks to this machine are allowed only with the embedded database.
  app = await startApp({ env: { DATABASE_URL: '', OPERATOR_KEY: operatorKey } })
  store = await app.makeProject()
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.stop()
  await app.stop()
})

const env = () => ({ ANIMAL_STORE_URL: app.url, ANIMAL_STORE_KEY: store.secret })
const cli = (...args: string[]) => runHere(env(), args)
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

it('events tail prints each event as one line of JSON, and Ctrl-C ends the command', async () => {
  const { child, lines } = start('events', 'tail', '--after', await newestEvent(), '--json')
  await store.post('/v1/pets', { name: 'Rex', categoryId: 1 })
  await store.post('/v1/pets', { name: 'Max', categoryId: 1 })

  const seen = [await lines.next(), await lines.next()].map(({ value }) => JSON.parse(value ?? ''))
  expect(seen).toMatchObject([{ data: { name: 'Rex' } }, { data: { name: 'Max' } }])
  expect(Number(seen[1].number)).toBe(Number(seen[0].number) + 1)
  child.kill('SIGINT')
  expect((await once(child, 'exit'))[0]).toBe(0)
})

it('webhooks listen forwards events with a valid signature, prints each status, and continues after a failed delivery', async () => {
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

it('webhooks listen forwards only to an http address', async () => {
  const { exitCode, errors } = await cli('webhooks', 'listen', '--forward-to', 'ftp://localhost/')

  expect(errors).toContain('--forward-to must be an http address, such as localhost:3000.')
  expect(exitCode).toBe(2)
})

it('the command adds, shows, changes, tests, rewinds and removes a webhook endpoint, and rotates its secret', async () => {
  const added = await json('webhooks', 'add', receiver.url, '--type', 'order.placed', '--description', 'Till')
  const changed = await json('webhooks', 'change', added.id, '--type', 'pet.deleted', '--disable')
  const moved = await json('webhooks', 'change', added.id, '--address', `${receiver.url}/new`)
  const tested = await json('webhooks', 'test', added.id)
  const rotated = await json('webhooks', 'rotate', added.id)
  const rewound = await json('webhooks', 'rewind', added.id, '0')
  const since = await json('webhooks', 'rewind', added.id, '--since', '2026-01-01T00:00:00Z')
  const nowhere = await cli('webhooks', 'rewind', added.id)
  const badTime = await cli('webhooks', 'rewind', added.id, '--since', 'yesterday')
  const listed = await cli('webhooks', 'list')
  const attempts = await cli('webhooks', 'deliveries', added.id)
  await cli('webhooks', 'change', added.id, '--address', 'http://127.0.0.1:9/')
  const unanswered = await cli('webhooks', 'test', added.id)
  const refused = await cli('webhooks', 'remove', added.id)
  const removed = await cli('webhooks', 'remove', added.id, '--yes')

  expect(added).toMatchObject({ types: ['order.placed'], description: 'Till', secret: /^whsec_/ })
  expect(changed).toMatchObject({ types: ['pet.deleted'], enabled: false })
  expect(moved).toMatchObject({ url: `${receiver.url}/new`, types: ['pet.deleted'], enabled: false })
  expect(tested).toMatchObject({ status: 204 })
  expect(rotated.secret).not.toBe(added.secret)
  expect([rewound.id, since.id]).toEqual([added.id, added.id])
  expect([nowhere.exitCode, badTime.exitCode]).toEqual([2, 2])
  expect(listed.output).toContain(added.id)
  expect(attempts.output).toContain('webhook.test')
  expect([unanswered.exitCode, unanswered.errors]).toEqual([1, 'The endpoint gave no answer.\n'])
  expect(refused.exitCode).toBe(2)
  expect(removed.output).toBe(`Endpoint ${added.id} is gone.\n`)
  expect((await cli('webhooks', 'show', added.id)).exitCode).toBe(4)
})

it('activity shows the audit log, and exports CSV without a cell that a spreadsheet would run as a formula', async () => {
  await json('keys', 'issue', '=1+1', '--scopes', 'pets:read')
  await numberAll(app.tools)

  const shown = await cli('activity', '--type', 'api_key.issued', '--actor', `api_key:${store.keyId}`)
  const csv = await cli('activity', '--export', '--format', 'csv', '--type', 'api_key.issued')
  const lines = (await cli('activity', '--type', 'api_key.issued', '--export')).output.trim().split('\n')
  const file = join(folder(), 'activity.csv')
  const written = await cli('activity', '--type', 'api_key.issued', '--export', file)
  const none = await json('activity', '--until', '2020-01-01T00:00:00Z')

  expect(shown.output).toMatch(/api_key .* api_key\.issued +api_key:\S+ +graphql/)
  expect(csv.output.split('\r\n')[0]).toBe(
    'id,type,timestamp,subject,actorType,actorId,actorName,door,address,requestId,data,previous',
  )
  expect(csv.output.trim().split('\r\n')).toHaveLength(lines.length + 1)
  expect(csv.output).not.toMatch(/(^|,)"?[=+@-]/m)
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ actor: { type: 'api_key' }, data: { name: '=1+1' } })
  expect(none.items).toEqual([])
  expect([written.output, readFileSync(file, 'utf8')]).toEqual(['', csv.output])
  expect((await cli('activity', '--format', 'csv')).errors).toContain('--format needs --export.')
})

it('the operator sees and exports the activity of all projects, oldest entry first, and the key of a project is refused', async () => {
  const other = await app.makeProject()
  for (const { project } of [store, other])
    await app.tools.db.$executeRaw`UPDATE projects SET name = '=1+1' WHERE id = ${project.id}`
  await numberAll(app.tools)
  const operator = (...args: string[]) =>
    runHere({ ...env(), ANIMAL_STORE_KEY: operatorKey }, ['activity', '--all-projects', ...args])
  const filter = ['--type', 'project.changed', '--actor', 'database']
  const file = join(folder(), 'all.csv')

  const shown = await operator(...filter)
  const page = JSON.parse((await operator(...filter, '--limit', '1', '--json')).output)
  const next = JSON.parse((await operator('--limit', '1', '--after', page.nextCursor, '--json')).output)
  const lines = (await operator(...filter, '--export')).output.trim().split('\n')
  await operator(...filter, '--export', file)
  const refused = await cli('activity', '--all-projects', '--export', join(folder(), 'no.csv'))

  const slugs = [store.project.slug, other.project.slug]
  const entries = lines.map(line => JSON.parse(line))
  expect(shown.output).toMatch(new RegExp(`${slugs.join('.*project\\.changed[^]*')}.*project\\.changed`))
  expect(entries).toMatchObject(
    slugs.map(project => ({ project, type: 'project.changed', data: { name: '=1+1' } })),
  )
  expect([page.items, next.items[0].timestamp >= page.items[0].timestamp]).toEqual([[entries[0]], true])
  const rows = readFileSync(file, 'utf8').split('\r\n')
  expect(rows[0]).toBe(
    'project,id,type,timestamp,subject,actorType,actorId,actorName,door,address,requestId,data,previous',
  )
  expect(rows.slice(1, 3).map(row => row.split(',').slice(0, 2))).toEqual(
    entries.map(({ project, id }) => [project, id]),
  )
  expect([refused.exitCode, refused.errors]).toEqual([
    3,
    'Only the operator of the service may see the activity of all projects.\n',
  ])
})

it('an activity export of all projects waits for the end of a short rate limit, and leaves no file if the rate limit is long', async () => {
  const of = (nodes: object[], pageInfo: object) => ({
    json: { data: { caller: { operator: true }, auditLog: { nodes, pageInfo } } },
  })
  const entry = {
    eventId: '3f2a91bc-1',
    projectSlug: 'shop',
    type: 'plan.changed',
    at: '2026-12-01T00:00:00Z',
    data: {},
  }
  const limited = (retryAfterSeconds: number) => ({
    json: {
      errors: [{ message: 'No.', extensions: { code: 'rate_limited', status: 429, retryAfterSeconds } }],
    },
  })
  const path = folder()
  const file = join(path, 'all.ndjson')
  const command = ['activity', '--all-projects', '--export', file]
  const first = of([entry], { hasPreviousPage: true, startCursor: 'a' })

  const whole = await runWithAnswers(command, [first, limited(1), of([], { hasPreviousPage: false })])
  const text = readFileSync(file, 'utf8')
  rmSync(file)
  const refused = await runWithAnswers(command, [first, limited(3_600)])

  expect([whole.exitCode, whole.received.length, text.split('\n').length]).toEqual([0, 3, 2])
  expect([refused.exitCode, readdirSync(path)]).toEqual([5, []])
})

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'animal-store-activity-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}
