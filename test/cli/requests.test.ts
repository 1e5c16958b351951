import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from '../support/command-line.ts'
import { numberAll } from '../support/events.ts'
import { runHere } from '../support/run-command.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-tests-0123456789abcdef'
let app: App
let store: TestProject
let folder: string
let listener: Server
let url: string
let sent: string[] = []

beforeAll(async () => {
  app = await startApp({ env: { OPERATOR_KEY: operatorKey } })
  store = await app.makeProject()
  known.person = `person_${await personWithPasskey()}`
  folder = mkdtempSync(join(tmpdir(), 'animal-store-requests-'))
  writeFileSync(join(folder, 'pets.csv'), 'name,categoryId\nLuna,1\nRex,2\n')
  listener = createServer(async (incoming, answer) => {
    const body = await buffer(incoming)
    const { query = '', method } = /^\/(graphql|mcp)$/.test(incoming.url ?? '')
      ? JSON.parse(String(body))
      : {}
    const operation = method ?? /(?:query|mutation) (\w+)/.exec(query)?.[1]
    sent.push([incoming.method, decodeURIComponent(incoming.url ?? ''), operation].filter(Boolean).join(' '))
    const passedOn = request(
      app.url + incoming.url,
      { method: incoming.method, headers: incoming.headers, agent: false },
      from => {
        answer.writeHead(from.statusCode ?? 500, from.headers)
        from.pipe(answer)
      },
    )
    passedOn.end(body)
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const other = await store.post('/v1/pets', { name: 'Luna', categoryId: 3 })
  known.other = String((other.json as { id: number }).id)
  Object.assign(known, { folder, slug: store.project.slug, secret: store.secret })
  url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
})
afterAll(async () => {
  listener.closeAllConnections()
  listener.close()
  await app.stop()
  rmSync(folder, { recursive: true })
})

async function personWithPasskey(): Promise<string> {
  const { db } = app.tools
  const at = { createdAt: new Date() }
  const key = { id: 'a-passkey', name: 'Laptop', publicKey: new Uint8Array(77), counter: 0n, ...at }
  const { id } = await db.person.create({ data: { name: 'Ada', ...at, passkeys: { create: key } } })
  return id
}

/** Ids of what the commands have made, read from their JSON output. */
const known: Record<string, string> = {}

/**
 * A message of an agent. The command `mcp` reads such messages from its standard input, so the test runs this command
 * in a process of its own.
 */
const toolList = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`

/** Runs the command and returns its requests. In `line`, `{name}` is replaced by a known id. */
async function requestsOf(line: string): Promise<string[]> {
  sent = []
  // A new endpoint gets every event that is numbered after the endpoint was added. On a slow machine, events of earlier
  // commands may not have a number yet. Give all events their numbers first, so that the endpoint does not get the
  // events of the earlier commands.
  if (line.startsWith('webhooks add')) await numberAll(app.tools)
  const isOperator =
    /^(projects|operators|certificates|keys (ban|lift-ban)|(domains list|activity) --all)/.test(line)
  const words = line.replace(/\{(\w+)\}/g, (_, name) => known[name] ?? '').split(' ')
  const env = {
    HOME: folder,
    ANIMAL_STORE_URL: url,
    ANIMAL_STORE_KEY: isOperator ? operatorKey : store.secret,
  }
  const { exitCode, errors, output } =
    line === 'mcp'
      ? await runCommand(env, ['mcp'], undefined, toolList)
      : await runHere(env, ['--json', ...words])
  // `domains verify` and `webhooks test` fail, because no DNS server answers in this test.
  const failure = line.startsWith('domains verify') ? 9 : line.startsWith('webhooks test') ? 1 : 0
  expect([line, exitCode, errors]).toEqual([line, failure, expect.anything()])
  if (/^(pets add|orders place|keys (issue|rotate)|deploy$|webhooks add)/.test(line)) {
    const made = JSON.parse(output)
    const name = line.replace(/s? .*/, '')
    known[name] = String(made.id ?? made.apiKey.id)
    known[`${name}Secret`] = made.secret
    known[`${name}Prefix`] = made.apiKey?.prefix
  }
  return sent
}

/** Every command, in an order in which each succeeds, with the requests that it sends. */
const commands: Record<string, string[]> = {
  'pets add Max --category 1': ['POST /v1/pets'],
  'pets list': ['GET /v1/pets?limit=20&sort=id'],
  'pets inventory': ['GET /v1/store/inventory'],
  'pets show {pet}': ['POST /graphql ShowPet'],
  'pets export --status sold': ['GET /v1/pets/export?format=ndjson&status=sold'],
  'pets import {folder}/pets.csv': ['POST /v1/pets/import'],
  'pets update {pet} --category 2': ['PATCH /v1/pets/{pet}'],
  'pets update --where category=2 --status available': ['PATCH /v1/pets'],
  'categories set 1 Dogs': ['PUT /v1/categories/1'],
  'categories show 1': ['GET /v1/categories/1'],
  'categories list': ['GET /v1/categories?limit=20'],
  'categories remove 1': ['DELETE /v1/categories/1'],
  'orders place {pet}': ['POST /v1/store/orders'],
  'orders show {order}': ['GET /v1/store/orders/{order}'],
  'orders list': ['GET /v1/store/orders?limit=20'],
  'orders approve {order}': ['POST /v1/store/orders/{order}/approve'],
  'orders deliver {order}': ['POST /v1/store/orders/{order}/deliver'],
  'orders place {other}': ['POST /v1/store/orders'],
  'orders cancel {order}': ['POST /v1/store/orders/{order}/cancel'],
  'pets remove {pet} --yes': ['DELETE /v1/pets/{pet}'],
  'pets remove --where name=Rex --yes': ['DELETE /v1/pets'],
  'keys issue Shop': ['POST /graphql IssueKey'],
  'keys list': ['POST /graphql ListKeys'],
  'keys rename {key} Web': ['POST /graphql FindKey', 'POST /graphql RenameKey'],
  'keys ban {keyPrefix} --project {slug} --seconds 60': ['POST /graphql FindKey', 'POST /graphql BanKey'],
  'keys lift-ban {key} --project {slug}': ['POST /graphql FindKey', 'POST /graphql LiftBan'],
  'keys rotate {key}': ['POST /graphql FindKey', 'POST /graphql RotateKey'],
  'keys revoke {key} --yes': ['POST /graphql FindKey', 'POST /graphql RevokeKey'],
  'keys report-leak {keySecret}': ['POST /revocations'],
  'keys leaked': ['POST /graphql ShowLeakedKeys'],
  'keys leaked revoke': ['POST /graphql SetLeakedKeys'],
  'events list': ['GET /v1/events?limit=20'],
  'webhooks add https://shop.example/hook': ['POST /v1/webhooks'],
  'webhooks list': ['GET /v1/webhooks'],
  'webhooks show {webhook}': ['GET /v1/webhooks/{webhook}'],
  'webhooks redeliver {webhook} 1': ['POST /v1/webhooks/{webhook}/redeliver'],
  'webhooks change {webhook} --disable': ['PATCH /v1/webhooks/{webhook}'],
  'webhooks rotate {webhook}': ['POST /v1/webhooks/{webhook}/rotate-secret'],
  'webhooks test {webhook}': ['POST /v1/webhooks/{webhook}/test'],
  'webhooks deliveries {webhook}': ['GET /v1/webhooks/{webhook}/deliveries?limit=100'],
  'webhooks rewind {webhook} 0': ['POST /v1/webhooks/{webhook}/rewind'],
  'webhooks remove {webhook} --yes': ['DELETE /v1/webhooks/{webhook}'],
  activity: ['GET /v1/events?limit=20&kind=management'],
  'activity --export': ['GET /v1/events/export?format=ndjson'],
  'activity --all-projects': ['POST /graphql ListAllActivity'],
  limits: ['POST /graphql Limits'],
  usage: ['POST /graphql Usage'],
  'usage --csv --by door': ['GET /v1/usage?by=door'],
  deploy: ['POST /graphql PublishDeploy'],
  deploys: ['POST /graphql ListDeploys'],
  'rollback {deploy}': ['POST /graphql Rollback'],
  'domains add shop.test': ['POST /graphql AddDomain'],
  'domains list': ['POST /graphql ListDomains'],
  'domains list --all-projects': ['POST /graphql ListAllDomains'],
  'domains show shop.test': ['POST /graphql ShowDomain'],
  'domains verify shop.test': ['POST /graphql FindDomain', 'POST /graphql VerifyDomain'],
  'domains remove shop.test --yes': ['POST /graphql FindDomain', 'POST /graphql RemoveDomain'],
  'certificates resume': ['POST /graphql ResumeCertificates'],
  'projects create corner-shop': ['POST /graphql CreateProject'],
  'projects list': ['POST /graphql ListProjects'],
  'projects plan corner-shop pro': ['POST /graphql SetPlan'],
  'projects suspend corner-shop': ['POST /graphql SuspendProject'],
  'projects resume corner-shop': ['POST /graphql ResumeProject'],
  'projects reset-limits corner-shop': ['POST /graphql ResetRateLimit'],
  'operators add {person}': ['POST /graphql AddOperator'],
  'operators list': ['POST /graphql ListOperators'],
  'operators remove {person}': ['POST /graphql RemoveOperator'],
  'login --key {secret}': ['POST /graphql Caller'],
  whoami: ['POST /graphql Caller'],
  mcp: ['POST /mcp tools/list'],
  profiles: [],
  'profiles list': [],
  'profiles use default': [],
  logout: [],
  'completion bash': [],
  'help pets': [],
}

it.each(Object.entries(commands))(
  'the command %s sends exactly the expected requests to the service',
  async (line, requests) => {
    const seen = await requestsOf(line)

    expect(seen).toEqual(requests.map(one => one.replace(/\{(\w+)\}/g, (_, name) => known[name] ?? '')))
  },
)

/** Reads the help of each command: its options, and the names of its own commands. */
async function readHelp(
  path: string[] = [],
): Promise<{ line: string; options: string[]; names: string[] }[]> {
  const { output } = await runHere({}, [...path, '--help'])
  const [, list = ''] = output.split('\nCommands:\n')
  const found = [...(list.split('\n\n', 1)[0]?.matchAll(/^ {2}([a-z-]+)/gm) ?? [])]
  const names = found.map(([, name = '']) => name).filter(name => name !== 'help')
  const options = [...output.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option = '']) => option)
  const below = []
  for (const name of names) below.push(...(await readHelp([...path, name])))
  return [{ line: path.join(' '), options, names }, ...below]
}

it('a list of expected requests exists for every command, except for events tail and webhooks listen', async () => {
  // Commands that run until they are stopped are tested in test/cli/events.test.ts.
  const missing = (await readHelp())
    .filter(({ line, names }) => names.length === 0 && !['events tail', 'webhooks listen'].includes(line))
    .filter(({ line }) => !Object.keys(commands).some(one => `${one} `.startsWith(`${line} `)))

  expect(missing).toEqual([])
})

it('no command has an option of the program, such as --url, which only the program would read', async () => {
  const [program, ...all] = await readHelp()

  const taken = program?.options.filter(option => option !== '--help') ?? []
  expect(taken).toContain('--url')
  expect(all.filter(({ options }) => options.some(option => taken.includes(option)))).toEqual([])
})
