import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeSecret } from '../../src/core/secrets.ts'
import { freshAddress } from '../support/ask.ts'
import { runCommand } from '../support/command-line.ts'
import { type App, startApp } from '../support/start-app.ts'

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

it('a key that is handed in no longer works, and real and unreal keys are answered alike', async () => {
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

it('animal-store keys report-leak revokes a key without another one', async () => {
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

it('a body without keys is refused, and an address may hand in keys sixty times a minute', async () => {
  const headers = json()
  const ask = (body: string) => app.ask('/revocations', { method: 'POST', headers, body })

  const faulty = [await ask('{}'), await ask('{"keys":[]}'), await ask('{"keys":[1]}'), await ask('[')]
  const many = await Promise.all(Array.from({ length: 60 }, () => ask('{"keys":["x"]}')))

  expect(faulty.map(answer => (answer.json as { code: string }).code)).toEqual([
    ...Array(3).fill('invalid_input'),
    'malformed_request',
  ])
  expect(many.filter(({ status }) => status === 202)).toHaveLength(56)
  expect(many.filter(({ status }) => status === 429)).toHaveLength(4)
})

it("a key that may write is revoked by GitHub's report, and a key that only reads is not", async () => {
  const writing = await app.makeProject()
  const reading = await writing.issueKey(['pets:read'])
  const reports = [writing, reading].map(({ secret }) => ({
    ...{ token: secret, type: 'animal_store_api_key' },
    ...{ url: 'https://github.com/some/one', source: 'content' },
  }))

  const { status } = await report(JSON.stringify(reports))

  expect(status).toBe(200)
  await expect.poll(async () => (await writing.get('/v1/pets')).status).toBe(401)
  expect((await reading.get('/v1/pets')).status).toBe(200)
})

it("a report without GitHub's signature over its very bytes changes nothing", async () => {
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
