import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { freshDatabase } from '../support/databases.ts'
import { ids } from '../support/ids.ts'
import { openBrowser } from '../support/people.ts'
import { answersAt, type Running, startProcess } from '../support/start-process.ts'

let service: Running
const dataDir = mkdtempSync(join(tmpdir(), 'animal-store-first-'))
beforeAll(async () => {
  service = await startProcess({ DATA_DIR: dataDir, WARM_UP: '1' })
  await service.printed(/Both keys are kept/)
})
afterAll(async () => {
  service.child.kill('SIGTERM')
  await service.ended
  rmSync(dataDir, { recursive: true })
})

const credentials = () => JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8'))

describe('the first start, without a database and Redis', () => {
  it('the first start prints a curl line that works unchanged', async () => {
    const [line] = await service.printed(/curl .*/)

    const answer = execFileSync('bash', ['-c', `${line.replace('curl', 'curl -s')}`], { encoding: 'utf8' })

    expect(JSON.parse(answer)).toHaveLength(3)
  })

  it('the first start prints the address of every interface, the project and the keys', async () => {
    await service.printed(/Both keys are kept/)
    const at = service.url.replace('127.0.0.1', 'localhost')
    const { apiKey, operatorKey } = credentials()

    expect(
      service
        .output()
        .split('\n')
        .filter(line => !line.startsWith('{'))
        .slice(0, 16),
    ).toEqual([
      `Animal Store answers at ${at}/v1`,
      '',
      `  dashboard      ${at}/dashboard`,
      `  reference      ${at}/reference`,
      `  GraphQL        ${at}/graphql`,
      '  Prisma Studio  npm run studio',
      '  command line   npx animal-store --help',
      '',
      '  project        demo',
      `  API key        ${apiKey}`,
      `  operator key   ${operatorKey}`,
      expect.stringMatching(
        /^ {2}sign in once {3}http:\/\/localhost:\d+\/dashboard\/invitation#asi_[\w-]{43}$/,
      ),
      '',
      `  curl -H 'Authorization: Bearer ${apiKey}' '${at}/v1/pets?limit=3'`,
      '',
      `Both keys are kept in ${dataDir}/credentials.json.`,
    ])
  })

  it('the first person who uses the sign-in link becomes the owner of the demo project, and a second use is refused', async () => {
    const [, secret] = await service.printed(/invitation#(\S+)/)
    const use = () => openBrowser(service.url)
    const browser = use()

    const joined = await browser.post('/session/invitation', { secret, name: 'Ada' })
    const again = await use().post('/session/invitation', { secret, name: 'Eve' })

    expect([joined.status, again.status]).toEqual([200, 404])
    expect((await browser.post('/session/token')).json).toMatchObject({ project: 'demo', role: 'owner' })
  })

  it('the audit log names the service as the maker of the project, its key and the sign-in link', async () => {
    const headers = { authorization: `Bearer ${credentials().apiKey}` }
    const made = '?kind=management&type=project.created,api_key.issued,invitation.added'

    const { json } = await ask(`${service.url}/v1/events${made}`, { headers })

    expect((json as { type: string; actor: object }[]).map(({ type, actor }) => [type, actor])).toEqual([
      ['project.created', { type: 'system', name: 'first start' }],
      ['api_key.issued', { type: 'system', name: 'first start' }],
      ['invitation.added', { type: 'system', name: 'sign-in link' }],
    ])
  })

  it('the first start stores the keys in a file that only its owner can read', () => {
    const { operatorKey, project, apiKey } = credentials()

    expect(project).toBe('demo')
    expect([operatorKey, apiKey]).toEqual([
      expect.stringMatching(/^as_\w{34}$/),
      expect.stringMatching(/^as_\w{34}$/),
    ])
    expect(statSync(join(dataDir, 'credentials.json')).mode & 0o777).toBe(0o600)
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  })

  it('the first start creates a few dozen pets on the pro plan', async () => {
    const headers = { authorization: `Bearer ${credentials().apiKey}` }

    expect(ids(await ask(`${service.url}/v1/pets?limit=100`, { headers })).length).toBeGreaterThan(30)
    expect((await ask(`${service.url}/v1/rate-limit`, { headers })).json).toMatchObject({ plan: 'pro' })
  })

  it('the service writes one log line for each request, without a secret', async () => {
    const { apiKey } = credentials()
    const { headers } = await ask(`${service.url}/v1/pets`, {
      headers: { authorization: `Bearer ${apiKey}` },
    })
    await ask(`${service.url}/v1/pets?cursor=${apiKey}`, { headers: { authorization: `Bearer ${apiKey}x` } })

    const [line] = await service.printed(new RegExp(`.*${headers['x-request-id']}.*`))
    expect(JSON.parse(line)).toMatchObject({
      route: '/v1/pets',
      status: 200,
      project: 'demo',
      key: apiKey.slice(0, 11),
      milliseconds: expect.any(Number),
    })
    const logs = service
      .output()
      .split('\n')
      .filter(text => text.startsWith('{'))
    expect(logs.join('\n')).not.toContain(apiKey)
  })

  it('a second process on the same folder is refused, and the first is named', async () => {
    const second = await startProcess({ DATA_DIR: dataDir })

    expect(await second.ended).toBe(1)
    expect(second.output()).toContain(String(service.child.pid))
    expect(second.output().trim().split('\n')).toHaveLength(1)
  })

  it('a port in use is refused in one sentence', async () => {
    const database = await freshDatabase()
    const second = await startProcess({ DATA_DIR: dataDir, PORT: new URL(service.url).port, ...database.env })

    expect(await second.ended).toBe(1)
    expect(second.output()).toMatch(
      /^Cannot listen on 127\.0\.0\.1:\d+: another program listens there already\. Choose another port: PORT=\d+ npm start\n$/,
    )
    await database.remove()
  })
})

describe('a later start', () => {
  it('a later start finds the pets and the keys again', async () => {
    const before = credentials()
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)

    service = await startProcess({ DATA_DIR: dataDir, DRAIN_SECONDS: '3600' })
    await service.printed(answersAt)

    // Only the port differs between starts.
    expect(credentials()).toEqual({ ...before, url: service.url.replace('127.0.0.1', 'localhost') })
    const headers = { authorization: `Bearer ${before.apiKey}` }
    expect((await ask(`${service.url}/v1/pets`, { headers })).status).toBe(200)
  })

  it('Ctrl-C ends the service at once, whatever DRAIN_SECONDS is', async () => {
    service.child.kill('SIGINT')

    expect(await service.ended).toBe(0)
  })
})

describe('wrong settings', () => {
  it('wrong settings stop the start with one sentence each', async () => {
    const wrong = await startProcess({
      PORT: '99999',
      DATABASE_URL: 'mysql://x',
      SEED_DEMO: 'yes',
      OPERATOR_KEY: 'short',
      LOG_LEVEL: 'loud',
    })

    expect(await wrong.ended).toBe(1)
    expect(wrong.output().trim().split('\n')).toEqual([
      'PORT must be at most 65535.',
      'DATABASE_URL must be a postgresql:// address.',
      'OPERATOR_KEY must have 32 to 190 characters, without spaces and characters outside ASCII; write several as NAME:KEY,NAME:KEY, each with a different name.',
      'SEED_DEMO must be 0 or 1.',
      'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent.',
    ])
  })
})
