import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { approveCode, denyCode } from '../../src/core/people/device-codes.ts'
import { removeMember } from '../../src/core/people/members.ts'
import { ask } from '../support/ask.ts'
import { runCommand } from '../support/command-line.ts'
import { join as joinProject } from '../support/people.ts'
import { standIn } from '../support/stand-in.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { startLogin as begin } from '../support/start-login.ts'

let app: App
let store: TestProject
let home: string
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject()
  await joinProject(app.tools, store.project, 'owner')
})
afterAll(() => app?.stop())
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'animal-store-home-'))
  return () => rmSync(home, { recursive: true })
})

const run = (...args: string[]) => runCommand({ HOME: home, DATA_DIR: join(home, 'none') }, args)
const file = () => join(home, '.config/animal-store/profiles.json')
const storedKey = (profile = 'default') => JSON.parse(readFileSync(file(), 'utf8')).profiles[profile]
const statusWith = async (key: string) =>
  (await ask(`${app.url}/v1/pets`, { headers: { authorization: `Bearer ${key}` } })).status

const startLogin = (...args: string[]) => begin(app.url, home, args)

const approve = (userCode: string, personId: string, { project } = store) =>
  approveCode(app.tools.db, app.tools.clock, userCode, personId, project.slug)

describe('login by a code', () => {
  it('login shows a code and an address, and stores the key that it receives after the approval', async () => {
    const ada = await joinProject(app.tools, store.project, 'developer', { name: 'Ada' })
    const login = await startLogin()
    expect(login.shown()).toContain(`Open ${app.tools.config.publicUrl}/dashboard/device\n`)

    await approve(login.userCode, ada)
    const ended = await login.ended()

    expect(ended).toMatchObject({ exitCode: 0, output: expect.stringContaining(store.project.slug) })
    const profile = storedKey()
    expect(profile).toEqual({
      url: app.url,
      key: expect.stringMatching(/^as_/),
      expiresAt: expect.any(String),
    })
    expect(ended.output + ended.errors).not.toMatch(/as_|asd_/)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect((await run('pets', 'list')).exitCode).toBe(0)
  }, 60_000)

  it('logout ends the key and removes the profile, even for a person with the role viewer', async () => {
    const ada = await joinProject(app.tools, store.project, 'viewer', { name: 'Ada' })
    const login = await startLogin('--profile', 'shop', '--json')
    await approve(login.userCode, ada)
    const { output } = await login.ended()
    expect(JSON.parse(output)).toMatchObject({ profile: 'shop', projectSlug: store.project.slug })
    expect(JSON.parse(login.shown())).toMatchObject({ userCode: login.userCode, expiresInSeconds: 600 })
    const { key } = storedKey('shop')
    expect(await statusWith(key)).toBe(200)

    const logout = await run('logout', '--profile', 'shop')

    expect(logout).toMatchObject({ exitCode: 0, output: expect.stringContaining('Ended the key') })
    await expect.poll(() => statusWith(key), { timeout: 20_000 }).toBe(401)
    expect(readFileSync(file(), 'utf8')).not.toContain(key)
  }, 60_000)

  it('a new login of the same profile ends the former key', async () => {
    const ada = await joinProject(app.tools, store.project, 'developer', { name: 'Ada' })
    const keys: string[] = []
    for (let i = 0; i < 2; i++) {
      const login = await startLogin()
      await approve(login.userCode, ada)
      expect((await login.ended()).exitCode).toBe(0)
      keys.push(storedKey().key)
    }

    expect(new Set(keys).size).toBe(2)
    await expect.poll(() => Promise.all(keys.map(statusWith)), { timeout: 20_000 }).toEqual([401, 200])
  }, 60_000)

  it('if login cannot store the new key, it ends the key and reports this in one line', async () => {
    const ada = await joinProject(app.tools, store.project, 'developer', { name: 'Ada' })
    writeFileSync(join(home, '.config'), '')
    let key = ''
    const url = await standIn(async (request, response) => {
      const { 'content-type': type = '', authorization = '' } = request.headers
      const answer = await ask(`${app.url}${request.url}`, {
        method: 'POST',
        headers: { 'content-type': type, ...(authorization && { authorization }) },
        body: await text(request),
      })
      key ||= (answer.json as { access_token?: string }).access_token ?? ''
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer.json))
    })
    const login = await begin(url, home)
    await approve(login.userCode, ada)

    const { exitCode, errors } = await login.ended()

    expect([exitCode, errors.trimEnd().split('\n').at(-1)]).toEqual([
      1,
      expect.stringMatching(/^\S+profiles\.json cannot be written: [A-Z]+\. The new key was ended\.$/),
    ])
    expect(key).toMatch(/^as_/)
    await expect.poll(() => statusWith(key), { timeout: 20_000 }).toBe(401)
  }, 60_000)

  it('a denied login stores nothing and ends with exit code 3', async () => {
    const login = await startLogin()

    await denyCode(app.tools.db, app.tools.clock, login.userCode)

    expect(await login.ended()).toMatchObject({
      ...{ exitCode: 3, output: '' },
      errors: expect.stringContaining('The sign-in was denied.'),
    })
    expect(() => storedKey()).toThrow('ENOENT')
  }, 60_000)

  it('login ends with exit code 3 if the person who approved it was removed from the project', async () => {
    const other = await app.makeProject()
    await joinProject(app.tools, other.project, 'owner')
    const ada = await joinProject(app.tools, other.project, 'developer', { name: 'Ada' })
    const login = await startLogin()
    await approve(login.userCode, ada, other)

    await removeMember(app.tools.db, app.tools.clock, other.project, ada)

    expect(await login.ended()).toMatchObject({ exitCode: 3, errors: expect.stringContaining('expired') })
  }, 60_000)
})

describe('login by a code at a service with faults', () => {
  type Step = { status?: number; json?: object; retryAfter?: number } | 'cut'

  /**
   * Starts a service that issues a login code, and answers the polls with these steps in order. Returns the times of
   * the polls.
   */
  async function serviceWith(steps: Step[], code = {}) {
    const polls: number[] = []
    const url = await standIn((request, response) => {
      request.resume()
      const answer = (json: object, status = 200, headers = {}) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers })
        response.end(JSON.stringify(json))
      }
      if (request.url === '/session/device')
        return answer({
          ...{ device_code: 'asd_x', user_code: 'BCDF-GHJK', verification_uri: 'http://x/dashboard/device' },
          ...{
            verification_uri_complete: 'http://x/dashboard/device?c',
            expires_in: 60,
            interval: 0.1,
            ...code,
          },
        })
      if (request.url === '/graphql')
        return answer({
          data: { caller: { operator: false, scopes: [], keyPrefix: 'as_x', projectSlug: 'zoo' } },
        })
      const step = steps[polls.length]
      polls.push(Date.now())
      if (step === 'cut') return void response.destroy()
      const { json = {}, status = 400, retryAfter } = step ?? {}
      answer(json, status, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) })
    })
    return { url, polls }
  }
  const pending = { json: { error: 'authorization_pending' } }
  const key = { status: 200, json: { access_token: 'as_x', expires_at: '2030-01-01T00:00:00.000Z' } }

  it('login continues to poll after lost connections and after a 503', async () => {
    const { url, polls } = await serviceWith([pending, 'cut', 'cut', { status: 503 }, pending, key])

    const ended = await run('login', '--url', url)

    expect(ended).toMatchObject({ exitCode: 0, output: expect.stringContaining('as the project zoo') })
    expect(polls).toHaveLength(6)
  }, 30_000)

  it('login waits five seconds longer after slow_down, and waits for the Retry-After of a 429', async () => {
    const slow = { json: { error: 'slow_down' } }
    const limited = { status: 429, json: { code: 'rate_limited' }, retryAfter: 2 }
    const { url, polls } = await serviceWith([limited, slow, key])

    expect((await run('login', '--url', url)).exitCode).toBe(0)

    const [first = 0, second = 0, third = 0] = polls
    expect(second - first).toBeGreaterThan(1_900)
    expect(third - second).toBeGreaterThan(4_900)
  }, 30_000)

  it('login stops polling when its code expires, and ends with exit code 3', async () => {
    const { url, polls } = await serviceWith(Array(100).fill(pending), { expires_in: 1 })

    expect(await run('login', '--url', url)).toMatchObject({
      exitCode: 3,
      errors: expect.stringContaining('Run animal-store login again.'),
    })
    expect(polls.length).toBeLessThan(11)
  }, 30_000)

  it('login escapes the control characters in texts of a service', async () => {
    const { url } = await serviceWith([key], {
      user_code: 'A\u001b[2JB',
      verification_uri: 'http://x/\u202e',
    })

    const { errors } = await run('login', '--url', url)

    expect(errors).toContain('A\\u001b[2JB')
    for (const sign of ['\u001b', '\u202e']) expect(errors).not.toContain(sign)
  }, 30_000)

  it('login reports that no service answers, and suggests --with-key if a service has no login codes', async () => {
    const old = await standIn((_request, response) => {
      response.writeHead(404, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ code: 'not_found', message: 'There is nothing at this address.' }))
    })

    expect(await run('login', '--url', 'http://127.0.0.1:9')).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('No Animal Store answers'),
    })
    expect(await run('login', '--url', old)).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('--with-key'),
    })
  })

  it.each([
    ['', (note: string) => note],
    [' --json', (note: string) => JSON.parse(note).message],
  ])(
    'login%s reports that it waits for a key on an open input, and takes a key that comes later',
    async (option, messageOf) => {
      const { url, polls } = await serviceWith([])
      const args = `src/cli/bin.js login --url ${url}${option}`.split(' ')
      const login = spawn(process.execPath, args, { env: { PATH: process.env.PATH, HOME: home } })
      onTestFinished(() => void login.kill())
      const exited = once(login, 'exit')
      let errors = ''
      login.stderr.on('data', piece => {
        errors += piece
      })

      await expect.poll(() => errors, { timeout: 20_000 }).toMatch(/\n$/)
      login.stdin.end('as_late\n')

      expect(await exited).toEqual([0, null])
      expect(messageOf(errors)).toMatch(
        /^Waiting for an API key on the standard input; .* add < \/dev\/null\.\n?$/,
      )
      expect([storedKey().key, polls]).toEqual(['as_late', []])
    },
    30_000,
  )

  it('login refuses a damaged file of profiles before it polls the service', async () => {
    const { url, polls } = await serviceWith([key])
    mkdirSync(join(home, '.config/animal-store'), { recursive: true })
    writeFileSync(file(), '{"current":')

    expect(await run('login', '--url', url)).toMatchObject({
      exitCode: 1,
      errors: `${file()} cannot be read as a JSON object. Repair it or delete it.\n`,
    })
    expect(polls).toEqual([])
  })

  it('login with --json reports as JSON that the new key could be neither stored nor ended', async () => {
    const { url, polls } = await serviceWith([key, { status: 503 }])
    writeFileSync(join(home, '.config'), '')

    const { exitCode, errors } = await run('login', '--url', url, '--json')

    expect(exitCode).toBe(1)
    expect(JSON.parse(errors.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      code: 'failed',
      message: expect.stringMatching(/ cannot be written: [A-Z]+\. The new key still works: end it /),
    })
    expect(polls).toHaveLength(2)
  }, 30_000)

  it('logout keeps the profile if it cannot end the key, unless --keep-key is given', async () => {
    const { url } = await serviceWith([key])
    await run('login', '--url', url)
    const profiles = JSON.parse(readFileSync(file(), 'utf8'))
    profiles.profiles.default.url = 'http://127.0.0.1:9'
    writeFileSync(file(), JSON.stringify(profiles))

    expect(await run('logout')).toMatchObject({ exitCode: 1, errors: expect.stringContaining('--keep-key') })
    expect(storedKey().key).toBe('as_x')
    expect((await run('logout', '--keep-key')).exitCode).toBe(0)
    expect(readFileSync(file(), 'utf8')).not.toContain('as_x')
  }, 30_000)
})
