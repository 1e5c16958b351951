import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { platformHostOf } from '../../src/core/hosts/platform-host.ts'
import { type MovableClock, movableClock } from '../support/clock.ts'
import { certificateState, type Platform, startPlatform, until } from '../support/hosting.ts'
import type { TestProject } from '../support/start-app.ts'

let platform: Platform
let clock: MovableClock
let project: TestProject
let target: string
let folder: string

beforeAll(async () => {
  clock = movableClock()
  platform = await startPlatform({ clock })
  project = await platform.first.makeProject({ plan: 'pro' })
  target = platformHostOf(project.project, 'animals.localhost')
  folder = mkdtempSync(join(tmpdir(), 'animal-store-cli-'))
})
afterAll(async () => {
  await platform.stop()
  rmSync(folder, { recursive: true, force: true })
})

type Run = { exitCode: number; output: string; errors: string }

function store(...args: string[]): Promise<Run> {
  const env = {
    PATH: process.env.PATH,
    ANIMAL_STORE_URL: platform.first.url,
    ANIMAL_STORE_KEY: project.secret,
  }
  return new Promise(resolve => {
    execFile(process.execPath, ['src/cli/bin.js', ...args], { env }, (error, output, errors) =>
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, output, errors }),
    )
  })
}

function file(configuration: unknown): string {
  const path = join(folder, 'animal-store.json')
  writeFileSync(path, JSON.stringify(configuration))
  return path
}

it('the command deploys a project, adds and verifies a custom domain, rolls back, and removes the domain', async () => {
  const early = await store('domains', 'add', 'shop.test')
  expect(early).toMatchObject({ exitCode: 6, errors: expect.stringContaining('Deploy the project first') })

  expect((await store('deploy', '--dry-run')).output).toContain('nothing was published')
  expect((await store('deploys')).output).not.toContain('in service')
  expect(await store('deploy')).toMatchObject({ exitCode: 0, output: expect.stringContaining('succeeded') })

  const added = await store('domains', 'add', 'https://www.shop.test/', '--partner')
  expect(added.output).toMatch(new RegExp(`www\\.shop\\.test +CNAME +www +${target} +3600`))
  expect(added.output).toMatch(new RegExp(`shop\\.test +ALIAS or ANAME +@ +${target} +3600`))

  platform.setRecords('www.shop.test A 93.184.215.7')
  const blocked = await store('domains', 'verify', 'www.shop.test')
  expect(blocked.output).toContain('address_record_conflict')
  expect(blocked.output).toContain('conflict     www.shop.test A 93.184.215.7')
  expect(blocked).toMatchObject({ exitCode: 7, errors: expect.stringContaining('Delete it') })
  expect((await store('domains', 'verify', 'www.shop.test')).exitCode).toBe(5)

  platform.setRecords(`www.shop.test CNAME ${target}`)
  clock.advance(11_000)
  expect((await store('domains', 'verify', 'www.shop.test', '--again')).output).toMatch(
    /www\.shop\.test +live/,
  )
  await until(
    () => certificateState(platform.first, 'www.shop.test'),
    state => state === 'issued',
  )
  expect((await store('domains', 'show', 'www.shop.test')).output).toContain(
    'by Animal Store local authority',
  )

  const wrong = await store('deploy', file({ domains: { primary: 'other.test' } }))
  expect(wrong).toMatchObject({ exitCode: 2, output: expect.stringContaining('other.test is not a domain') })
  const right = await store('deploy', file({ title: 'Shop', domains: { primary: 'www.shop.test' } }))
  expect(right.exitCode).toBe(0)
  expect((await store('domains', 'list')).output).toMatch(/www\.shop\.test +live +issued +primary/)

  const deploys = JSON.parse((await store('deploys', '--json')).output)
  expect((await store('rollback', deploys.at(-1).id)).exitCode).toBe(0)
  expect((await store('rollback', '999999')).exitCode).toBe(4)

  expect((await store('domains', 'remove', 'www.shop.test', '--yes')).output).toContain(
    'Delete its DNS record',
  )
  expect((await store('domains', 'show', 'www.shop.test')).exitCode).toBe(4)
}, 60_000)

it('deploy reports all faults of a configuration at once, and names each field as the file does', async () => {
  const problemsOf = async (configuration: unknown) => {
    const { exitCode, errors } = await store('deploy', file(configuration))
    expect(exitCode).toBe(2)
    return errors.replaceAll(`${folder}/`, '').trimEnd().split('\n')
  }

  const redirects = [{ from: 'a.test', status: '301' }, 'b.test']
  expect(await problemsOf({ titel: 'Shop', title: 5, domains: { primary: ['c.test'], redirects } })).toEqual([
    'animal-store.json: titel is unknown; use title, description, domains',
    'animal-store.json: title must be a text in quotes',
    'animal-store.json: domains.primary must be a text in quotes',
    'animal-store.json: domains.redirects[0].to is missing',
    'animal-store.json: domains.redirects[0].status must be a whole number without quotes',
    'animal-store.json: domains.redirects[1] must be an object in braces',
  ])
  expect(await problemsOf([])).toEqual(['animal-store.json: must be an object in braces'])
  expect(await problemsOf({ projectId: 'project_other' })).toHaveLength(1)
  expect(await problemsOf({ domains: { redirects: {} } })).toEqual([
    'animal-store.json: domains.redirects must be a list in square brackets',
  ])
  expect((await store('deploy', '--dry-run', file({ title: null, domains: null }))).exitCode).toBe(0)
}, 60_000)

it('domains verify --wait waits until a domain is live and has a certificate, or its exit code gives the reason', async () => {
  // The service's clock is 7 s behind the command's. The command waits by its own clock, so it asks too early.
  clock.moveTo(new Date(Date.now() - 7_000).toISOString())
  platform.setRecords(`www.wait.test CNAME elsewhere.test`)
  await store('domains', 'add', 'www.wait.test')
  const verify = (...more: string[]) => store('domains', 'verify', 'www.wait.test', ...more)
  const { db, jobs } = platform.first.tools

  const waiting = verify('--wait', '--timeout', '60')
  await until(
    () => db.domain.findFirstOrThrow({ where: { name: 'www.wait.test' } }),
    ({ verdict }) => (verdict as { code: string } | null)?.code === 'record_differs',
  )
  platform.setRecords(`www.wait.test CNAME ${target}`)
  clock.advance(11_000)
  expect(await waiting).toMatchObject({
    exitCode: 0,
    output: expect.stringMatching(/www\.wait\.test +live +issued/),
  })

  await jobs.close()
  await db.certificate.updateMany({
    where: { name: 'www.wait.test' },
    data: {
      chain: null,
      notAfter: null,
      problem: { code: 'ca_refused', message: 'Not this one.', record: null },
    },
  })
  clock.advance(11_000)
  expect(await verify('--wait', '--timeout', '0')).toMatchObject({ exitCode: 10 })

  const rival = await platform.first.makeProject({ plan: 'pro' })
  platform.setRecords('rival.test A 192.0.2.1')
  await db.domain.create({
    data: { projectId: rival.project.id, name: 'rival.test', createdAt: new Date(), looksSince: new Date() },
  })
  await store('domains', 'add', 'rival.test')
  platform.setRecords(`${target} A 192.0.2.1`, 'rival.test A 192.0.2.1')
  expect((await store('domains', 'verify', 'rival.test')).exitCode).toBe(8)
  platform.dns.misbehave('rival.test', 'SERVFAIL')
  clock.advance(11_000)
  expect((await store('domains', 'verify', 'rival.test')).exitCode).toBe(9)
}, 120_000)
