import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { version } from '../../src/cli/version.ts'
import { runCommand } from '../support/command-line.ts'
import { runHere } from '../support/run-command.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-tests-0123456789abcdef'
let app: App
let project: TestProject
let folder: string

beforeAll(async () => {
  app = await startApp({ env: { OPERATOR_KEY: operatorKey } })
  project = await app.makeProject()
  folder = mkdtempSync(join(tmpdir(), 'animal-store-cli-'))
})
afterAll(async () => {
  await app.stop()
  rmSync(folder, { recursive: true, force: true })
})

const asOwner = (...args: string[]) =>
  runHere({ ANIMAL_STORE_URL: app.url, ANIMAL_STORE_KEY: project.secret }, args)
const asOperator = (...args: string[]) =>
  runHere({ ANIMAL_STORE_URL: app.url, ANIMAL_STORE_KEY: operatorKey }, args)

describe('the command line', () => {
  it('npx finds the command in the checkout without installing anything', () => {
    const { bin } = JSON.parse(readFileSync('package.json', 'utf8'))
    const said = execFileSync('node_modules/.bin/animal-store', ['--version'], { encoding: 'utf8' })

    // If package.json had a "bin", npx would install the whole checkout at each call.
    expect([bin, said.trim()]).toEqual([undefined, version])
  })

  it('the command adds a pet, and lists pets as a table and as JSON', async () => {
    const env = { ANIMAL_STORE_URL: app.url, ANIMAL_STORE_KEY: project.secret }
    const inProcess = (line: string) => runCommand(env, line.split(' '))
    const added = await inProcess('pets add Biscuit --category 9007199254740993 --status sold --json')
    const table = await inProcess('pets list')
    const json = await inProcess('pets list --json')

    const pet = JSON.parse(added.output)
    expect(pet).toMatchObject({ name: 'Biscuit', categoryId: '9007199254740993', status: 'sold' })
    expect(table.output.split('\n')[0]).toMatch(/^ID +NAME +CATEGORY +STATUS$/)
    expect(table.output).toContain('Biscuit')
    expect(JSON.parse(json.output).items).toEqual([pet])
  })

  it('the command lists pets page by page', async () => {
    for (const name of ['A', 'B', 'C'])
      await project.post('/v1/pets', { name, categoryId: 1, status: 'pending' })
    const first = await asOwner('pets', 'list', '--status', 'pending', '--limit', '2')
    const cursor = /--after (\S+)/.exec(first.output)?.[1] ?? ''
    const second = await asOwner('pets', 'list', '--status', 'pending', '--limit', '2', '--after', cursor)

    expect(second.output).toMatch(/\bC\b/)
    expect(second.output).not.toContain('--after')
  })

  it('the command issues and lists keys, and rotates and revokes a key by its prefix', async () => {
    const issued = JSON.parse(
      (await asOwner('keys', 'issue', 'Web shop', '--scopes', 'pets:read', '--json')).output,
    )
    const rotated = JSON.parse(
      (await asOwner('keys', 'rotate', issued.apiKey.prefix, '--overlap', '60', '--json')).output,
    )
    const listed = await asOwner('keys', 'list')
    const revoked = await asOwner('keys', 'revoke', rotated.apiKey.prefix, '--yes')

    expect(rotated.secret).toMatch(/^as_/)
    expect(listed.output).toMatch(new RegExp(`${issued.apiKey.prefix} +Web shop +overlapping +pets:read`))
    expect(revoked.output).toMatch(/revoked/)
  })

  it('the command shows limits and usage', async () => {
    const limits = JSON.parse((await asOwner('limits', '--json')).output)
    const usage = await asOwner('usage', '--days', '2')

    expect(limits).toMatchObject({ plan: 'business', minute: { limit: 1000 }, ban: null })
    expect(usage.output).toMatch(/^DAY +REQUESTS +SERVED +FAULTY +FAILED +REFUSED$/m)
  })

  it('the command shows the usage by key, by REST and GraphQL, and by hour, as tables and as JSON', async () => {
    await asOwner('pets', 'list')
    await app.tools.usageCounter.flush()

    const byKey = await asOwner('usage', '--hours', '24', '--by', 'key')
    const byDoor = await asOwner('usage', '--by', 'door')
    const byHour = await asOwner('usage', '--hours', '2')
    const usage = JSON.parse((await asOwner('usage', '--hours', '24', '--json')).output)

    expect(byKey.output).toMatch(/^KEY +NAME +REQUESTS +SERVED +FAULTY +FAILED +REFUSED$/m)
    expect(byKey.output).toMatch(/^as_\w{8} +\S.* +[1-9]\d* +\d+ +\d+ +\d+ +0$/m)
    expect(byDoor.output).toMatch(/^rest +\d+ +\d+ +\d+ +\d+ +0$/m)
    expect(byHour.output).toMatch(/^\d{4}-\d\d-\d\d \d\d:00 UTC +\d+/m)
    expect(usage.hours).toHaveLength(24)
    expect(usage.keys[0].requests).toBe(usage.requests)
  })

  it('the command shows the usage of a range of days as a table, as JSON, and as the CSV that REST returns', async () => {
    await asOwner('pets', 'list')
    await app.tools.usageCounter.flush()
    const today = new Date().toISOString().slice(0, 10)
    const range = ['--from', today, '--to', today]

    const asTable = await asOwner('usage', ...range)
    const asJson = await asOwner('usage', ...range, '--by', 'door', '--json')
    const byKey = await asOwner('usage', '--csv', '--by', 'key')
    const early = await asOwner('usage', '--from', today, '--to', '2020-01-01')
    const mixed = await asOwner('usage', '--from', today, '--hours', '3')

    expect(asTable.output).toMatch(/^DAY +FINAL +REQUESTS +SERVED +FAULTY +FAILED +REFUSED$/m)
    expect(asTable.output).toMatch(new RegExp(`^${today} +false +[1-9]`, 'm'))
    expect(JSON.parse(asJson.output)).toContainEqual(expect.objectContaining({ door: 'rest', failed: 0 }))
    const rest = await project.get('/v1/usage?by=key&format=csv')
    // Compare without the counts, because the later answer also counts requests of this test.
    const withoutCounts = (csv: string) => csv.replaceAll('\r\n', '\n').replaceAll(/,\d+(?=,|$)/gm, ',n')
    expect(withoutCounts(byKey.output)).toBe(withoutCounts(rest.text))
    expect([early.exitCode, early.errors]).toEqual([
      2,
      expect.stringContaining('--to must not be earlier than'),
    ])
    expect(mixed.exitCode).toBe(2)
  })

  it('the operator creates projects, sets their plans, suspends them and resumes them', async () => {
    const created = JSON.parse((await asOperator('projects', 'create', 'corner-shop', '--json')).output)
    const planned = await asOperator(
      'projects',
      'plan',
      'corner-shop',
      'enterprise',
      '--per-minute',
      '5',
      '--per-day',
      '50',
    )
    const suspended = await asOperator('projects', 'suspend', 'corner-shop')
    const resumed = await asOperator('projects', 'resume', 'corner-shop')
    const keys = await asOperator('keys', 'list', '--project', 'corner-shop')

    expect(created.owner.secret).toMatch(/^as_/)
    expect(planned.output).toMatch(/corner-shop +corner-shop +enterprise +5 +50 +active/)
    expect(suspended.output).toContain('suspended')
    expect(resumed.output).toContain('active')
    expect(keys.output).toContain('Owner')
    expect((await asOperator('projects', 'list')).output).toContain('corner-shop')
  })

  it('the operator lists the domains of all projects, filtered by state and name', async () => {
    const other = await app.makeProject()
    const now = new Date()
    const add = ({ project: { id } }: TestProject, name: string, state: 'pending' | 'stale') =>
      app.tools.db.domain.create({ data: { projectId: id, name, state, createdAt: now, looksSince: now } })
    await add(project, 'one.many.test', 'pending')
    await add(other, 'two.many.test', 'stale')
    await app.tools.db.domain.createMany({
      data: Array.from({ length: 120 }, (_, i) => ({
        projectId: other.project.id,
        name: `${i}.more.test`,
        createdAt: now,
        looksSince: now,
      })),
    })
    const list = (...args: string[]) => asOperator('domains', 'list', '--all-projects', ...args)

    const named = await list('--name', 'MANY.test')
    expect(named.output).toMatch(new RegExp(`one\\.many\\.test +${project.project.slug} +pending +none`))
    expect(named.output).toMatch(new RegExp(`two\\.many\\.test +${other.project.slug} +stale +none`))
    expect(named.output).not.toContain('more')
    const stale = JSON.parse((await list('--host', 'stale', '--certificate', 'none', '--json')).output)
    expect(stale).toMatchObject([{ name: 'two.many.test', projectSlug: other.project.slug, host: 'stale' }])
    expect(JSON.parse((await list('--json')).output)).toHaveLength(122)
    expect(await list('--project', other.project.slug)).toMatchObject({ exitCode: 2 })
    expect(await list('--host', 'gone')).toMatchObject({ exitCode: 2 })
  })

  it('the command finds the keys of a service on this machine, and sends these keys to no other host', async () => {
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    writeFileSync(
      join(dataDir, 'credentials.json'),
      JSON.stringify({ operatorKey, project: 'x', apiKey: project.secret }),
    )
    const env = { ANIMAL_STORE_URL: app.url, DATA_DIR: dataDir }

    expect((await runHere(env, ['limits'])).exitCode).toBe(0)
    expect((await runHere(env, ['projects', 'list'])).exitCode).toBe(0)
    for (const elsewhere of ['http://store.example', 'http://localhost.store.example']) {
      expect(await runHere({ ...env, ANIMAL_STORE_URL: elsewhere }, ['limits'])).toMatchObject({
        exitCode: 3,
        errors: expect.stringContaining('ANIMAL_STORE_KEY'),
      })
    }
  })

  it.each([
    [['pets', 'add', '', '--category', '1'], 2, '<name>'],
    [['pets', 'list', '--limit', '101'], 2, '--limit'],
    [['keys', 'issue', 'x', '--expires', '2030-12-31'], 2, 'It must be a time such as'],
    [['keys', 'issue', 'x', '--expires', '2020-12-31T00:00:00Z'], 2, '--expires must be in the future'],
    [['activity', '--until', 'tomorrow'], 2, '--until'],
    [['usage', '--days', '91'], 2, '--days'],
    [['usage', '--hours', '49'], 2, '--hours'],
    [['usage', '--by', 'colour'], 2, 'door'],
    [['pets', 'add', 'A'], 2, '--category'],
    [['pets', 'fly'], 2, 'unknown command'],
    [['keys', 'issue', 'x', '--scopes', 'everything'], 2, 'Scopes are'],
    [['projects', 'list'], 3, 'operator'],
    [['domains', 'list', '--all-projects'], 3, 'operator'],
    [['domains', 'list', '--host', 'live'], 2, '--all-projects'],
    [['keys', 'revoke', 'as_00000000', '--yes'], 4, 'no key'],
    [['keys', 'revoke', '00000000-0000-7000-8000-000000000000', '--yes'], 4, 'no such API key'],
  ])('the command %j ends with exit code %d and a message', async (args, exitCode, sentence) => {
    const ended = await asOwner(...args)

    expect(ended).toMatchObject({ exitCode, output: '' })
    expect(ended.errors).toContain(sentence)
  })

  it('a script without --yes deletes nothing', async () => {
    const { secret, keyId } = await project.issueKey()
    const prefix = secret.slice(0, 11)
    const { json } = await project.post('/v1/pets', { name: 'Rex', categoryId: 1 })
    const pet = (json as { id: bigint }).id
    const { db } = app.tools
    const now = new Date()
    const domain = { projectId: project.project.id, name: 'kept.test', createdAt: now, looksSince: now }
    await db.domain.create({ data: domain })

    for (const args of [
      ['pets', 'remove', String(pet)],
      ['keys', 'revoke', prefix],
      ['keys', 'rotate', prefix, '--overlap', '0'],
      ['domains', 'remove', 'kept.test'],
    ]) {
      const { exitCode, errors } = await asOwner(...args, '--json')
      expect([exitCode, JSON.parse(errors).code]).toEqual([2, 'confirmation_required'])
    }

    expect(await db.pet.count({ where: { id: pet } })).toBe(1)
    expect(await db.domain.count({ where: { name: 'kept.test' } })).toBe(1)
    expect(await db.apiKey.findUniqueOrThrow({ where: { id: keyId } })).toMatchObject({
      revokedAt: null,
      expiresAt: null,
    })
  })

  it('exceeded limits, conflicts and lost connections each have their own exit code', async () => {
    const small = await app.makeProject({ plan: 'enterprise', perMinute: 1, perDay: 10 })
    await small.get('/v1/pets')
    const env = { ANIMAL_STORE_URL: app.url, ANIMAL_STORE_KEY: small.secret }

    expect((await runHere(env, ['pets', 'list'])).exitCode).toBe(5)
    expect((await asOperator('projects', 'create', project.project.slug)).exitCode).toBe(6)
    expect((await runHere({ ...env, ANIMAL_STORE_URL: 'http://127.0.0.1:9' }, ['limits'])).exitCode).toBe(1)
  })

  it('the help shows examples', async () => {
    for (const args of [['--help'], ['keys', '--help'], ['pets', '--help'], ['projects', '--help']]) {
      const help = await asOwner(...args)
      expect(help).toMatchObject({ exitCode: 0, output: expect.stringContaining('Examples:') })
    }
  })
})
