import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { makeSecret } from '../../src/core/secrets.ts'
import { freshAddress } from '../support/ask.ts'
import { runCommand } from '../support/command-line.ts'
import { eventsOf, numberAll } from '../support/events.ts'
import { until } from '../support/hosting.ts'
import { canRace } from '../support/open-database.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let folder: string
let githubKey: KeyObject
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'animal-store-github-'))
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  githubKey = privateKey
  const key = publicKey.export({ type: 'spki', format: 'pem' })
  const file = join(folder, 'keys.json')
  writeFileSync(file, JSON.stringify({ public_keys: [{ key_identifier: 'one', key, is_current: true }] }))
  app = await startApp({ env: { GITHUB_LEAK_KEYS: file, TRUST_PROXY: '1' } })
})
afterAll(async () => {
  await app.stop()
  rmSync(folder, { recursive: true })
})

const json = () => ({ 'content-type': 'application/json', 'x-forwarded-for': freshAddress() })
const revoke = (body: unknown) =>
  app.ask('/revocations', { method: 'POST', headers: json(), body: JSON.stringify(body) })

function report(body: string, signed = body, id = 'one') {
  const signature = sign('sha256', Buffer.from(signed), githubKey).toString('base64')
  const headers = {
    ...json(),
    'github-public-key-identifier': id,
    'github-public-key-signature': signature,
  }
  return app.ask('/leaks/github', { method: 'POST', headers, body })
}

it('a key that is reported as leaked no longer works, and a report of an unknown key gets the same answer', async () => {
  const project = await app.makeProject()
  const other = await project.issueKey()
  expect((await project.get('/v1/pets')).status).toBe(200)

  const real = await revoke({ keys: [project.secret] })
  const unreal = await revoke({ keys: [makeSecret()] })
  const malformed = await revoke({ keys: ['no key'] })

  for (const answer of [real, unreal, malformed])
    expect([answer.status, answer.text]).toEqual([202, '{"received":1}'])
  await expect.poll(async () => (await project.get('/v1/pets')).status).toBe(401)
  expect((await other.get('/v1/pets')).status).toBe(200)
})

it.skipIf(!canRace())('a leaked key that two people report at once is revoked in one event', async () => {
  const owner = await app.makeProject()
  const { database } = app.tools
  const holder = await database.pool?.connect()
  onTestFinished(() => holder?.release())
  await holder?.query('BEGIN')
  await holder?.query('SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [owner.keyId])

  const reports = [1, 2].map(() => revoke({ keys: [owner.secret] }))
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  await until(
    async () => (await holder?.query(waiting))?.rowCount,
    waits => waits === 2,
  )
  await holder?.query('COMMIT')

  for (const { status } of await Promise.all(reports)) expect(status).toBe(202)
  expect(await leaksOf(owner)).toEqual([{ revoked: true }])
})

it('animal-store keys report-leak revokes a leaked key without needing another key', async () => {
  const project = await app.makeProject()

  const run = await runCommand({ ANIMAL_STORE_URL: app.url }, [
    'keys',
    'report-leak',
    project.secret,
    '--url',
    app.url,
  ])

  expect(run).toMatchObject({ exitCode: 0, errors: '' })
  await expect.poll(async () => (await project.get('/v1/pets')).status).toBe(401)
})

it('a leak report without keys or with more than 1,000 is refused, and an address may report keys sixty times a minute', async () => {
  const headers = json()
  const ask = (body: string) => app.ask('/revocations', { method: 'POST', headers, body })

  const keys = (count: number) => JSON.stringify({ keys: Array(count).fill('x') })
  const faulty = []
  for (const body of ['{}', keys(0), '{"keys":[1]}', keys(1_001), '[']) faulty.push(await ask(body))
  const most = await ask(keys(1_000))
  const many = await Promise.all(Array.from({ length: 60 }, () => ask(keys(1))))

  expect(faulty.map(answer => (answer.json as { code: string }).code)).toEqual([
    ...Array(4).fill('invalid_input'),
    'malformed_request',
  ])
  expect(most.status).toBe(202)
  expect(many.filter(({ status }) => status === 202)).toHaveLength(54)
  expect(many.filter(({ status }) => status === 429)).toHaveLength(6)
})

const foundAt = 'https://github.com/corner/shop/blob/main/.env'
const reportOf = (keys: readonly { secret: string }[], url = foundAt) =>
  report(JSON.stringify(keys.map(({ secret: token }) => ({ token, type: 'animal_store_api_key', url }))))

async function choose(project: TestProject, leakedKeys: string) {
  const document = `mutation { projectSetLeakedKeys(input: { leakedKeys: ${leakedKeys} }) { project { leakedKeys } } }`
  const { json } = await project.post('/graphql', { query: document })
  expect(json).toEqual({ data: { projectSetLeakedKeys: { project: { leakedKeys } } } })
}

const statusOf = async (key: TestProject) => (await key.get('/v1/rate-limit')).status

/** Returns the data of each `api_key.leaked` event of the project, without the id, name and prefix of the key. */
async function leaksOf({ project }: TestProject) {
  const events = (await eventsOf(app.tools, project.id)).filter(({ type }) => type === 'api_key.leaked')
  return events.map(({ data: { id, name, prefix, ...rest } }) => rest)
}

it.each([
  ['tell', 200, 200],
  ['rotate', 200, 200],
  ['revoke_writing', 401, 200],
  ['revoke', 401, 401],
])(
  'if a project chose %s for leaked keys, a leaked key with write scopes gets the status %i, and a leaked read-only key %i',
  async (choice, whenWriting, whenReading) => {
    const writing = await app.makeProject()
    const reading = await writing.issueKey(['pets:read'])
    // Without a choice, the project has the default `revoke_writing`.
    if (choice !== 'revoke_writing') await choose(writing, choice)

    const { status } = await reportOf([writing, reading])

    expect(status).toBe(200)
    await expect.poll(() => statusOf(writing)).toBe(whenWriting)
    await expect.poll(() => statusOf(reading)).toBe(whenReading)
    const leaks = await leaksOf(writing)
    expect(leaks.map(({ revoked }) => revoked)).toEqual([whenWriting === 401, whenReading === 401])
    expect(leaks.every(leak => leak.foundAt === foundAt)).toBe(true)
  },
)

it('a leaked key that is rotated works for another day, and rotating its successor returns a secret that works', async () => {
  const owner = await app.makeProject()
  const leaked = await owner.issueKey(['pets:read'])
  await choose(owner, 'rotate')

  // Keys of older versions may have names that new keys cannot have.
  await app.tools.db.apiKey.update({ where: { id: leaked.keyId }, data: { name: 'Till\t1' } })

  for (let times = 0; times < 2; times++) await reportOf([leaked])
  await reportOf([leaked], `${foundAt}?again`)

  const [first, second, ...more] = await leaksOf(owner)
  expect(more).toEqual([])
  expect(Date.parse(first.expiresAt) - Date.now()).toBeGreaterThan(86_000_000)
  expect(Date.parse(first.expiresAt) - Date.now()).toBeLessThanOrEqual(86_400_000)
  // The second report does not rotate the key again.
  expect(second).toEqual({ revoked: false, foundAt: `${foundAt}?again` })
  const input = `{ id: "key_${first.successorId}", overlapSeconds: 0 }`
  const query = `mutation { apiKeyRotate(input: ${input}) { secret apiKey { scopes expiresAt } } }`
  const { data } = (await owner.post('/graphql', { query })).json as Rotated
  expect(data.apiKeyRotate.apiKey).toEqual({ scopes: ['pets_read'], expiresAt: null })
  const headers = { authorization: `Bearer ${data.apiKeyRotate.secret}` }
  expect((await app.ask('/v1/pets', { headers })).status).toBe(200)
})

it('a leak report of more than 64 KiB ends its keys', async () => {
  const owner = await app.makeProject()

  const { status } = await reportOf([owner], `${foundAt}?${'x'.repeat(70_000)}`)

  expect(status).toBe(200)
  await expect.poll(() => statusOf(owner)).toBe(401)
})

it('the URL of a leak report is stored without the leaked key and without NUL characters', async () => {
  const owner = await app.makeProject()
  const [one, other] = [await owner.issueKey(['pets:read']), await owner.issueKey(['pets:read'])]

  await reportOf([one], `https://github.com/search?q=${one.secret}`)
  await reportOf([other], 'https://github.com/a\0b')

  const places = (await leaksOf(owner)).map(leak => leak.foundAt)
  expect(places).toEqual([
    `https://github.com/search?q=${one.secret.slice(0, 11)}`,
    'https://github.com/a\ufffdb',
  ])
})

it('a repeated leak report adds no second event, and a report of a key that has ended adds no event', async () => {
  const owner = await app.makeProject()
  const [active, ended] = [await owner.issueKey(['pets:read']), await owner.issueKey(['pets:write'])]

  await Promise.all([1, 2, 3].map(() => reportOf([active, ended])))
  await reportOf([active, ended])
  await reportOf([active, ended], '')

  expect(await leaksOf(owner)).toEqual(
    expect.arrayContaining([{ revoked: false, foundAt }, { revoked: true, foundAt }, { revoked: false }]),
  )
  expect(await leaksOf(owner)).toHaveLength(3)
})

it('changing what happens to leaked keys needs project:write, and is recorded in the audit log with its actor', async () => {
  const owner = await app.makeProject()
  const reader = await owner.issueKey(['project:read'])
  await choose(owner, 'revoke')
  await choose(owner, 'revoke')
  const query = 'mutation { projectSetLeakedKeys(input: { leakedKeys: tell }) { project { leakedKeys } } }'

  const refused = await reader.post('/graphql', { query })

  expect(refused.json).toMatchObject({ errors: [{ extensions: { code: 'insufficient_scope' } }] })
  await numberAll(app.tools)
  const { json } = await owner.get('/v1/events?kind=management&type=project.changed')
  expect(json).toMatchObject([
    {
      ...{
        type: 'project.changed',
        data: { leakedKeys: 'revoke' },
        previous: { leakedKeys: 'revoke_writing' },
      },
      ...{ actor: { type: 'api_key' }, door: 'graphql' },
    },
  ])
  expect(json).toHaveLength(1)
})

it('animal-store keys leaked shows and sets the choice of the project', async () => {
  const owner = await app.makeProject()
  const run = (...words: string[]) =>
    runCommand({ ANIMAL_STORE_URL: app.url }, ['keys', 'leaked', ...words, '--key', owner.secret, '--json'])

  const before = await run()
  const changed = await run('rotate')
  const after = await run()
  const wrong = await run('forget')

  expect(JSON.parse(before.output)).toEqual({ leakedKeys: 'revoke-writing' })
  expect(JSON.parse(changed.output)).toEqual({ leakedKeys: 'rotate' })
  expect(JSON.parse(after.output)).toEqual({ leakedKeys: 'rotate' })
  expect(wrong.exitCode).toBe(2)
})

type Rotated = { data: { apiKeyRotate: { secret: string; apiKey: object } } }

it("a leak report without GitHub's signature over its exact bytes changes nothing", async () => {
  const project = await app.makeProject()
  const body = JSON.stringify([{ token: project.secret, type: 'x', url: '' }])

  const answers = [
    await report(body, JSON.stringify(JSON.parse(body), null, 1)),
    await report(body, body, 'another'),
    await app.ask('/leaks/github', { method: 'POST', headers: json(), body }),
  ]

  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
  expect((await project.get('/v1/pets')).status).toBe(200)
})
