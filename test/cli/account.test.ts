import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runHere } from '../support/run-command.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let project: TestProject
let home: string

beforeAll(async () => {
  app = await startApp()
  project = await app.makeProject()
})
afterAll(() => app.stop())
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'animal-store-home-'))
  return () => rmSync(home, { recursive: true })
})

const inHome = (...args: string[]) => runHere({ HOME: home, DATA_DIR: join(home, 'none') }, args)
const file = () => join(home, '.config/animal-store/profiles.json')

describe('the stored profiles and keys of the command line', () => {
  it('login stores the key in a file that only the owner of the file can read, and logout removes the key', async () => {
    expect(await inHome('pets', 'list')).toMatchObject({
      exitCode: 3,
      errors: expect.stringContaining('login'),
    })

    const login = await inHome('login', '--url', app.url, '--key', project.secret)
    const listed = await inHome('pets', 'list')
    const who = await inHome('whoami')
    const mode = statSync(file()).mode & 0o777
    const logout = await inHome('logout')

    expect(login).toMatchObject({ exitCode: 0, output: expect.stringContaining(project.project.slug) })
    expect(login.output).not.toContain(project.secret)
    expect(listed.exitCode).toBe(0)
    expect(who.output).toContain('from the profile default')
    expect(who.output).toContain('pets:write')
    expect(mode).toBe(0o600)
    expect(logout.exitCode).toBe(0)
    expect(readFileSync(file(), 'utf8')).not.toContain(project.secret)
    expect((await inHome('pets', 'list')).exitCode).toBe(3)
  })

  it('login reads the key from a pipe, so that the key appears in no process list', async () => {
    const command = `echo ${project.secret} | ${process.execPath} src/cli/bin.js login --url ${app.url}`
    const env = { PATH: process.env.PATH, HOME: home }

    const { stdout } = await promisify(execFile)('bash', ['-c', command], { env })

    expect(stdout).toContain(`as the project ${project.project.slug}`)
    expect(readFileSync(file(), 'utf8')).toContain(`"key": "${project.secret}"`)
  })

  it('login makes the file of profiles private even if everyone could read the file before', async () => {
    mkdirSync(join(home, '.config/animal-store'), { recursive: true })
    writeFileSync(file(), '{"current":null,"profiles":{}}', { mode: 0o644 })

    await inHome('login', '--url', app.url, '--key', project.secret)

    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })

  it('login stores no key that the service refuses', async () => {
    expect(await inHome('login', '--url', app.url, '--key', 'as_wrong')).toMatchObject({
      exitCode: 3,
      output: '',
    })
    expect((await inHome('profiles', 'list', '--json')).output.trim()).toBe('[]')
  })

  it('each profile has its own key, and a key is sent only to the service of its profile', async () => {
    const second = await app.makeProject()
    await inHome('login', '--url', app.url, '--key', project.secret)
    await inHome('login', '--url', app.url, '--key', second.secret, '--profile', 'second')
    const slug = async (...args: string[]) =>
      JSON.parse((await inHome('whoami', '--json', ...args)).output).projectSlug

    expect(await slug()).toBe(second.project.slug)
    expect(await slug('--profile', 'default')).toBe(project.project.slug)
    await inHome('profiles', 'use', 'default')
    expect(await slug()).toBe(project.project.slug)
    expect((await inHome('profiles', 'list')).output).toMatch(/default +\S+ +in use\n/)
    expect(await inHome('pets', 'list', '--url', 'http://127.0.0.1:9')).toMatchObject({ exitCode: 3 })
    expect(await inHome('pets', 'list', '--profile', 'third')).toMatchObject({ exitCode: 4 })
  })

  it('options override the environment variables, which override the current profile', async () => {
    const other = await app.makeProject()
    const third = await app.makeProject()
    await inHome('login', '--url', app.url, '--key', project.secret)
    const env = { HOME: home, ANIMAL_STORE_URL: app.url, ANIMAL_STORE_KEY: other.secret }
    const slug = async (...args: string[]) =>
      JSON.parse((await runHere(env, ['whoami', '--json', ...args])).output).projectSlug

    expect(await slug()).toBe(other.project.slug)
    expect(await slug('--key', third.secret)).toBe(third.project.slug)
    expect(await slug('--profile', 'default')).toBe(project.project.slug)
  })

  it('the command reads the address and the key of a local service from its data folder', async () => {
    const dataDir = join(home, 'data')
    mkdirSync(dataDir)
    const credentials = { url: app.url, operatorKey: null, project: 'x', apiKey: project.secret }
    writeFileSync(join(dataDir, 'credentials.json'), JSON.stringify(credentials))

    const { exitCode, output } = await runHere({ HOME: home, DATA_DIR: dataDir }, ['whoami', '--json'])

    expect(exitCode).toBe(0)
    expect(JSON.parse(output)).toMatchObject({ url: app.url, keyFrom: join(dataDir, 'credentials.json') })
  })

  it('keys revoke reports that the revoked key is the key that the command itself uses', async () => {
    const { secret } = await project.issueKey()
    const prefix = secret.slice(0, 11)
    const env = { HOME: home, ANIMAL_STORE_URL: app.url, ANIMAL_STORE_KEY: secret }

    const requested = await runHere(env, ['keys', 'revoke', prefix])
    const revoked = await runHere(env, ['keys', 'revoke', prefix, '--yes'])

    expect(requested).toMatchObject({ exitCode: 2, errors: expect.stringContaining('--yes') })
    expect(revoked.output).toContain('This was the key that you are using (from ANIMAL_STORE_KEY)')
    // Processes learn from the log of changes that the key was revoked.
    await expect.poll(async () => (await runHere(env, ['pets', 'list'])).exitCode).toBe(3)
  })
})
