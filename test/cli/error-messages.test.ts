import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { exitCodes, Refused } from '../../src/cli/exit.ts'
import { withOptionNames } from '../../src/cli/option-names.ts'
import { runCommand } from '../support/command-line.ts'
import { startHttpsReceiver } from '../support/https-receiver.ts'
import { runHere, runWithAnswers, type StubAnswer } from '../support/run-command.ts'
import { standIn } from '../support/stand-in.ts'

const fault = (status: number | undefined, more: object = {}): StubAnswer => ({
  json: {
    data: null,
    errors: [{ message: 'It cannot be.', extensions: { status, code: 'the_code', ...more } }],
  },
})
const problem = (status: number, more: object = {}): StubAnswer => ({
  status,
  json: { type: 'about:blank', status, code: 'the_code', message: 'It cannot be.', ...more },
})

describe('what the service refuses', () => {
  it.each([
    [400, 2],
    [413, 2],
    [422, 2],
    [401, 3],
    [403, 3],
    [404, 4],
    [410, 4],
    [409, 6],
    [412, 6],
    [429, 5],
    [500, 1],
    [503, 1],
    [undefined, 1],
  ])(
    'a refusal with status %s ends the command with exit code %i and the message of the refusal',
    async (status, exitCode) => {
      const ended = await runWithAnswers('limits', [fault(status)])

      expect(ended).toMatchObject({ exitCode, output: '', errors: 'It cannot be.\n' })
    },
  )

  it.each([
    [
      'limits',
      fault(422, { details: [{ field: 'input.limits.requestsPerDay', message: 'must be less' }] }),
      '--per-day',
    ],
    [
      'pets list',
      problem(422, { details: [{ field: 'cursor', message: 'must be one of ours' }] }),
      '--after',
    ],
  ])(
    'with --json the error of the refused command %s names the faulty option of the command, and not the field of the service',
    async (line, answer, field) => {
      const { exitCode, output, errors } = await runWithAnswers(`${line} --json`, [answer])

      expect([exitCode, output]).toEqual([2, ''])
      expect(JSON.parse(errors)).toEqual({
        code: 'the_code',
        message: 'It cannot be.',
        details: [{ field, message: expect.stringContaining('must be') }],
      })
    },
  )

  it('with --json a refusal without an error code is reported with the error code `failed` and an empty list of details', async () => {
    const ended = await runWithAnswers('limits --json', [
      { json: { errors: [{ message: 'It cannot be.' }] } },
    ])

    expect(ended.exitCode).toBe(1)
    expect(JSON.parse(ended.errors)).toEqual({ code: 'failed', message: 'It cannot be.', details: [] })
  })

  it.each([undefined, 'No healthy upstream.'])(
    'a command that uses GraphQL reports a refusal in the form of REST, as a load balancer sends it, with a list of details if it has %j',
    async details => {
      const { exitCode, errors } = await runWithAnswers('limits --json', [problem(503, { details })])

      expect(exitCode).toBe(1)
      expect(JSON.parse(errors)).toEqual({ code: 'the_code', message: 'It cannot be.', details: [] })
    },
  )

  it.each([
    ['first', '--limit'],
    ['limit', '--limit'],
    ['after', '--after'],
    ['cursor', '--after'],
    ['days', '--days'],
    ['hours', '--hours'],
    ['status', '--status'],
    ['sort', '--sort'],
    ['categoryId', '--category'],
    ['name', '<name>'],
    ['slug', '<slug>'],
    ['scopes', '--scopes'],
    ['expiresAt', '--expires'],
    ['overlapSeconds', '--overlap'],
    ['idempotencyKey', '--idempotency-key'],
    ['Idempotency-Key', '--idempotency-key'],
    ['requestsPerMinute', '--per-minute'],
    ['requestsPerDay', '--per-day'],
    ['projectId', '--project'],
    ['petId', '<pet>'],
    ['orderId', '<order>'],
    ['reference', '--reference'],
    ['note', '--note'],
    ['subject', '--subject'],
    ['actor', '--actor'],
    ['types', '--type'],
    ['type', '--type'],
    ['since', '--since'],
    ['until', '--until'],
    ['input.limits.requestsPerDay', '--per-day'],
    ['input.limits', '--per-minute and --per-day'],
    ['input.domains.primary', 'input.domains.primary'],
  ])('a fault of the field %s is reported as a fault of %s', (field, option) => {
    const message = `${field} must be right.`

    expect(withOptionNames(`No: ${message}`, [{ field, message, line: 7 }])).toEqual({
      message: `No: ${option} must be right.`,
      details: [{ field: option, message: `${option} must be right.` }],
    })
  })
})

it('an error message about several faulty fields names the option of each field', () => {
  const details = ['first', 'days'].map(field => ({ field, message: `${field} must be less` }))

  expect(withOptionNames('first must be less; days must be less', details)).toEqual({
    message: '--limit must be less; --days must be less',
    details: ['--limit', '--days'].map(field => ({ field, message: `${field} must be less` })),
  })
})

it.each([
  ['pets list --name', '--name'],
  ['pets list --all --name', '--name'],
  ['pets update 12 --name', '--name'],
  ['pets update 12 13 --name', '--name'],
  ['categories list --name', '--name'],
  ['categories set 7', '<name>'],
])('a fault of the name is reported under its option or argument: %s', async (line, name) => {
  const message = 'must be a part of a name; a name has letters'
  const details = [{ field: 'name', message }]

  const { errors } = await runWithAnswers(
    [...line.split(' '), '', '--json'],
    [problem(400, { message: `name ${message}.`, details })],
  )

  expect(JSON.parse(errors)).toMatchObject({
    ...{ message: `${name} ${message}.`, details: [{ field: name, message }] },
  })
})

it('operators too read which option has a faulty name', async () => {
  const message = 'must be shorter'
  const wrongName = (field: string) =>
    fault(400, { details: [{ field, message }], message: `${field} ${message}.` })

  const created = await runWithAnswers('projects create zoo --name Zoo --json', [wrongName('input.name')])
  const listed = await runWithAnswers('domains list --all-projects --name x --json', [wrongName('name')])

  for (const { errors } of [created, listed]) {
    expect(JSON.parse(errors).details).toEqual([{ field: '--name', message }])
  }
})

it('a change of a pet that names no field is refused before anything is sent', async () => {
  const { exitCode, errors, received } = await runWithAnswers('pets update 12', [])

  expect([exitCode, errors]).toEqual([2, 'Give at least one of --name, --category and --status.\n'])
  expect(received).toEqual([])
})

it('a change of a webhook endpoint that names no change is refused before anything is sent, even with --url', async () => {
  const { exitCode, errors, received } = await runWithAnswers(
    'webhooks change 12 --url https://hooks.example',
    [],
  )

  expect([exitCode, errors]).toEqual([
    2,
    'Give at least one of --address, --type, --description, --enable and --disable.\n',
  ])
  expect(received).toEqual([])
})

it('an endpoint cannot be enabled and disabled at once', async () => {
  const { exitCode, errors, received } = await runWithAnswers('webhooks change 12 --enable --disable', [])

  expect([exitCode, errors]).toEqual([2, expect.stringContaining('cannot be used with')])
  expect(received).toEqual([])
})

it('wrong usage is reported as JSON with --json, and otherwise as a message with a hint', async () => {
  const asData = await runWithAnswers('limits --nonsense --json', [])
  const inWords = await runWithAnswers('limits --nonsense', [])

  expect([asData.exitCode, inWords.exitCode]).toEqual([2, 2])
  expect(JSON.parse(asData.errors)).toEqual({
    ...{ code: 'invalid_input', message: "unknown option '--nonsense'", details: [] },
  })
  expect(inWords.errors).toMatch(/^error: unknown option '--nonsense'\n.*--help/)
})

it.each([
  ['pets add Max --category 1', 255],
  ['orders place 12', 255],
  ['pets import pets.csv', 238],
])(
  'an idempotency key that cannot be sent in a header is refused as invalid input: %s',
  async (line, most) => {
    const env = { ANIMAL_STORE_URL: 'http://127.0.0.1:9', ANIMAL_STORE_KEY: 'as_key' }
    const message = `must be 1 to ${most} printable ASCII characters`

    for (const key of ['order-€7', 'k'.repeat(most + 1)]) {
      const args = [...line.split(' '), '--idempotency-key', key]
      const inWords = await runHere(env, args)
      const asData = await runHere(env, [...args, '--json'])

      expect([inWords.exitCode, inWords.errors]).toEqual([2, `--idempotency-key ${message}.\n`])
      expect(JSON.parse(asData.errors)).toEqual({
        ...{ code: 'invalid_input', message: `--idempotency-key ${message}.` },
        details: [{ field: '--idempotency-key', message }],
      })
    }
  },
)

describe('an address without a service', () => {
  it.each([
    ['answers in HTML', { text: '<html></html>', headers: { 'content-type': 'text/html' } }],
    ['answers without data', { json: { data: null } }],
    ['answers with something else', { json: {} }],
  ])('a server that %s is reported as a server that is no Animal Store', async (_, answer) => {
    const { exitCode, errors, url } = await runWithAnswers('limits', [answer])

    expect([exitCode, errors]).toEqual([1, `${url} did not answer as an Animal Store does.\n`])
  })

  it.each(['limits', 'orders approve 3'])(
    'a server that the command %s cannot reach is reported with its address',
    async line => {
      const env = { ANIMAL_STORE_URL: 'http://127.0.0.1:9', ANIMAL_STORE_KEY: 'as_key' }

      const { exitCode, output, errors } = await runHere(env, [...line.split(' '), '--json'])

      expect([exitCode, output]).toEqual([1, ''])
      expect(JSON.parse(errors)).toMatchObject({ code: 'connection_failed', details: [] })
      expect(errors).toContain('127.0.0.1:9')
    },
  )
})

it.each(['limits', 'pets update 3 --name Rex', 'login --key as_key', 'keys report-leak as_key', 'login'])(
  'the command %s reports why it cannot connect, such as a certificate that it does not trust',
  async line => {
    const receiver = await startHttpsReceiver()
    onTestFinished(() => receiver.stop())
    const url = receiver.url.replace(/\/$/, '')

    const ended = await runCommand({ ANIMAL_STORE_KEY: 'as_key' }, [...line.split(' '), '--url', url])

    expect(ended).toMatchObject({ exitCode: 1, output: '' })
    expect(ended.errors).toContain(`${url} (DEPTH_ZERO_SELF_SIGNED_CERT).`)
  },
)

it('the MCP bridge reports why it cannot connect', async () => {
  const receiver = await startHttpsReceiver()
  onTestFinished(() => receiver.stop())
  const env = { ANIMAL_STORE_KEY: 'as_key', ANIMAL_STORE_URL: receiver.url }

  const { output } = await runCommand(env, ['mcp'], undefined, '{"jsonrpc":"2.0","id":1,"method":"ping"}\n')

  expect(JSON.parse(output).error.message).toContain('(DEPTH_ZERO_SELF_SIGNED_CERT)')
})

it('each exit code of the command has its own error code', () => {
  const codes = Object.values(exitCodes).map(exitCode => [exitCode, new Refused('No.', exitCode).code])

  expect(codes).toEqual([
    [0, 'done'],
    [1, 'failed'],
    [2, 'invalid_input'],
    [3, 'not_allowed'],
    [4, 'not_found'],
    [5, 'limited'],
    [6, 'conflict'],
    [7, 'record_not_right'],
    [8, 'ownership_not_proven'],
    [9, 'dns_unreachable'],
    [10, 'not_certified'],
    [11, 'record_spreading'],
  ])
})

describe('the key of a service on this machine', () => {
  /** Makes the folder of a service that has stored these credentials. */
  function folderOf(credentials: object): string {
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-here-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'credentials.json'), JSON.stringify(credentials))
    return folder
  }
  const rateLimit = { plan: 'pro', ban: null, minute: {}, day: {}, management: {} }
  async function seen() {
    const keys: unknown[] = []
    const url = await standIn((request, response) => {
      if (request.url === '/graphql') keys.push(request.headers.authorization)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ data: { rateLimit, projects: { nodes: [], pageInfo: {} } } }))
    })
    return { url, port: new URL(url).port, keys }
  }

  it.each(['localhost', '127.0.0.1'])('the key of a local service is sent to any port of %s', async host => {
    const { port, keys } = await seen()
    const DATA_DIR = folderOf({ url: 'http://localhost:1', apiKey: 'as_owner', operatorKey: null })

    const env = { DATA_DIR, ANIMAL_STORE_URL: `http://${host}:${port}//` }
    const { exitCode } = await runHere(env, ['limits', '--json'])

    expect([exitCode, keys]).toEqual([0, ['Bearer as_owner']])
  })

  it("if the local service has no operator's key, the operator's commands send no other key instead", async () => {
    const { url, keys } = await seen()
    const DATA_DIR = folderOf({ url, apiKey: 'as_owner', operatorKey: null })

    const { exitCode, errors } = await runHere({ DATA_DIR }, ['projects', 'list'])

    expect([exitCode, keys]).toEqual([3, []])
    expect(errors).toBe(
      `There is no key for ${url}: run animal-store login --url ${url}, or set ANIMAL_STORE_KEY to the operator's key.\n`,
    )
  })

  it.each(['http://store.example', 'http://localhost.store.example', 'http://127.0.0.1.example'])(
    'the key of a local service is sent to no other host: %s',
    async url => {
      const DATA_DIR = folderOf({ url: 'http://localhost:1', apiKey: 'as_owner', operatorKey: 'as_operator' })

      const { exitCode, errors } = await runHere({ DATA_DIR, ANIMAL_STORE_URL: url }, ['limits'])

      expect([exitCode, errors]).toEqual([
        3,
        `There is no key for ${url}: run animal-store login --url ${url}, or set ANIMAL_STORE_KEY.\n`,
      ])
    },
  )

  it('the key of a local service is read from .data by default, and without that folder there is no key', async () => {
    const here = process.cwd()
    onTestFinished(() => process.chdir(here))
    const { url, keys } = await seen()
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-cwd-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    process.chdir(folder)
    const nothing = await runHere({}, ['limits'])
    mkdirSync('.data')
    writeFileSync('.data/credentials.json', JSON.stringify({ url, apiKey: 'as_owner', operatorKey: null }))

    const { exitCode } = await runHere({}, ['limits', '--json'])

    expect([nothing.exitCode, exitCode, keys]).toEqual([3, 0, ['Bearer as_owner']])
    expect(nothing.errors).toContain('There is no key for http://localhost:4000:')
  })
})

it('pets export prints the whole export, and prints nothing if the export is refused', async () => {
  const text = '{"id":1}\n{"id":2}\n'
  const headers = { 'content-type': 'application/x-ndjson' }

  const whole = await runWithAnswers('pets export --status sold --category 7 --name Bi', [{ text, headers }])
  const csv = { text: 'id\n1\n', headers: { 'content-type': 'text/csv' } }
  const asCsv = await runWithAnswers('pets export --format csv', [csv])
  const refused = await runWithAnswers('pets export', [problem(403)])

  expect(whole).toMatchObject({ exitCode: 0, output: text, errors: '' })
  expect(whole.received).toEqual([
    ['owner', 'GET /v1/pets/export?format=ndjson&status=sold&name=Bi&categoryId=7'],
  ])
  expect(asCsv.received).toEqual([['owner', 'GET /v1/pets/export?format=csv']])
  expect(refused).toMatchObject({ exitCode: 3, output: '', errors: 'It cannot be.\n' })
})

it.each([[['--json']], [['pets', '--json']]])(
  'a command line without a command is refused: %j',
  async args => {
    const { exitCode, errors } = await runHere({}, args)

    const message = 'Name a command; see --help.'
    expect([exitCode, JSON.parse(errors)]).toEqual([2, { code: 'invalid_input', message, details: [] }])
  },
)
