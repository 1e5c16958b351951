import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { aMoment } from '../support/a-moment.ts'
import { ask } from '../support/ask.ts'
import { administer, freshFolder } from '../support/databases.ts'
import { commandsOf, inlineCommandsOf } from '../support/documents.ts'
import { findProgram } from '../support/programs.ts'
import { type Service, startPostgres, startRedis } from '../support/services.ts'
import { makeProject, startApp, type TestProject } from '../support/start-app.ts'
import { type Running, startProcess } from '../support/start-process.ts'
import { typeCommand } from '../support/type-command.ts'

const operating = 'docs/operating.md'
const operatorKey = 'o'.repeat(32)

let postgres: Service
let redis: Service
let service: Running
let store: TestProject
let banned: TestProject
let folder: string
let env: Record<string, string>
const statuses: number[] = []
let isOver = false
let writing: Promise<unknown> = Promise.resolve()

/** Runs a command of a document as a person with the service's settings. */
const type = (command: string, more: Record<string, string> = {}) =>
  typeCommand(command, { HOME: folder, ...env, ...more })

const hasAll = ['postgres', 'redis-server', 'psql', 'bash'].every(findProgram)

describe.runIf(hasAll)('the commands of the documents', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'animal-store-docs-'))
    chmodSync(folder, 0o777)
    postgres = await startPostgres()
    redis = await startRedis()
    await administer(postgres.url, 'CREATE DATABASE shop')
    env = { DATABASE_URL: postgres.url.replace(/postgres$/, 'shop'), REDIS_URL: redis.url }
    const here = await startApp({ env })
    const log = openSync(join(folder, 'log'), 'a')
    service = await startProcess(
      { ...env, OPERATOR_KEY: operatorKey, PROCESSES: '2', WARM_UP: '0' },
      'start.js',
      { log },
    )
    env.OPS = service.opsUrl
    env.ANIMAL_STORE_URL = service.url
    env.ANIMAL_STORE_KEY = operatorKey
    store = await makeProject(here.tools, service.url, { perMinute: 1e9, perDay: 1e9 })
    banned = await store.issueKey()
    await here.stop()
    await vi.waitFor(async () => expect((await ask(`${service.opsUrl}/readyz`)).status).toBe(200), 60_000)
    writing = (async () => {
      while (!isOver) {
        const { status } = await store.post('/v1/pets', { name: 'Rex', categoryId: 1 })
        statuses.push(status, (await store.get('/v1/pets?limit=1')).status)
        await aMoment()
      }
    })()
  }, 180_000)
  afterAll(async () => {
    isOver = true
    await writing
    service?.child.kill('SIGTERM')
    await service?.ended
    await redis?.stop()
    await postgres?.stop()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  it('backup and restore work as documented while clients write, and no client sees another error than 503', async () => {
    const before = statuses.length
    const commands = commandsOf(operating, 'sh').filter(({ heading }) => heading === 'Backup and restore')
    expect(commands.map(({ command }) => command.split(' ')[0])).toEqual(['pg_dump', 'pg_restore'])

    for (const { command } of commands) {
      const typed = command.replace('FILE', join(folder, 'backup'))
      let ended = await type(typed)
      // As the page says, a restore that met a waiting request is run again.
      while (ended.stderr.includes('deadlock detected')) ended = await type(typed)
      expect(ended).toMatchObject({ code: 0, stderr: '' })
    }
    await expect.poll(() => statuses.slice(-20).every(status => status < 300), { timeout: 60_000 }).toBe(true)
    const [recount = ''] = inlineCommandsOf(operating, 'psql')
    expect(recount).toContain('recount_pets')
    expect(await type(recount)).toMatchObject({ code: 0, stderr: '' })

    expect([200, 201, 503]).toEqual(expect.arrayContaining([...new Set(statuses.slice(before))]))
  }, 120_000)

  it('limits and bans are changed by hand as documented', async () => {
    const commands = commandsOf(operating, 'sh').filter(
      ({ heading }) => heading === 'Limits and bans by hand',
    )
    expect(commands.map(({ command }) => command.split(' ').slice(2, 4).join(' '))).toEqual([
      'keys ban',
      'keys lift-ban',
      'projects reset-limits',
    ])
    const { secret, get } = banned
    const named = (command: string) =>
      command.replace(/as_\w+/, secret.slice(0, 11)).replace('corner-shop', store.project.slug)

    for (const { command } of commands) {
      expect(await type(named(command))).toMatchObject({ code: 0, stderr: '' })
      const isBanned = command.includes('keys ban')
      await expect.poll(async () => (await get('/v1/pets')).status).toBe(isBanned ? 429 : 200)
    }
  }, 120_000)

  it('animal-store migrate runs beside the service as documented', async () => {
    const [command = ''] = inlineCommandsOf(operating, 'animal-store')

    expect(command).toBe('animal-store migrate')
    expect(await type(`npx ${command}`)).toMatchObject({
      code: 0,
      stdout: 'The database is at this version.\n',
    })
  }, 120_000)

  it('the settings for PgBouncer are accepted for the role', async () => {
    const commands = commandsOf(operating, 'sql')
      .filter(({ heading }) => heading === 'Behind a pooler')
      .map(({ command }) => command)
    expect(commands.length).toBeGreaterThan(3)
    await administer(postgres.url, 'CREATE ROLE store LOGIN')

    await administer(postgres.url, commands.join('\n'))
  })

  it('the embedded database moves to PostgreSQL as documented', async () => {
    const commands = commandsOf(operating, 'sh').filter(({ heading }) =>
      heading.startsWith('From the embedded'),
    )
    expect(commands.map(({ command }) => command.split(' ')[0])).toEqual(['createdb', 'npx'])
    const own = await freshFolder()
    onTestFinished(own.remove)
    const dataDir = own.env.DATA_DIR
    const embedded = await startProcess({ DATA_DIR: dataDir })
    await embedded.printed(/curl -H/)
    embedded.child.kill('SIGTERM')
    await embedded.ended
    const filled = (command: string) =>
      command
        .replace('USER:PASSWORD@HOST:5432/NAME', `postgres@127.0.0.1:${postgres.port}/moved`)
        .replace('HOST', '127.0.0.1')
        .replace('USER', 'postgres')
        .replace('NAME', 'moved')

    for (const { command } of commands)
      expect(await type(filled(command), { DATA_DIR: dataDir, PGPORT: String(postgres.port) })).toMatchObject(
        { code: 0, stderr: '' },
      )
  }, 180_000)

  /** Commands that cannot run here, by their beginnings: no systemd manages a service here, and no name is public. */
  const notHere = [
    ...['systemctl', 'journalctl', 'dig ', 'df -h /backup', 'ls -l --time-style=long-iso /var/lib'],
    'curl -sS -o /dev/null -w "%{http_code}\\n" "$ACME_DIRECTORY_URL"',
  ]
  const ofRunbook = [...new Set(commandsOf('docs/runbook.md', 'console').map(({ command }) => command))]

  it.each(ofRunbook.filter(command => !notHere.some(start => command.startsWith(start))))(
    'the command of the runbook runs: %s',
    async command => {
      // The runbook's `logs` reads the journal. The latency of Redis is measured until somebody stops it.
      const asHere = `logs() { cat ${join(folder, 'log')}; }; set -o pipefail; ${command.replace(/^redis-cli(?=.*--latency-history)/, 'timeout 1 redis-cli')}`

      const { code, stderr } = await type(asHere)

      // 1 is grep's, where the fault is absent.
      expect([0, 1, 124]).toContain(code)
      expect(stderr).toBe('')
      const [, metric] = /metrics \| grep \^?(\w+)/.exec(command) ?? []
      if (metric) expect((await ask(`${service.opsUrl}/metrics`)).text).toContain(metric)
    },
  )

  it('every other command of the documents is named here, so that a new one is run', () => {
    const known = [
      // test/service/tracing.test.ts starts the service with an SDK in this way.
      ...['npm install @opentelemetry/sdk-node', 'echo "import { NodeSDK }', 'NODE_OPTIONS='],
      ...['pg_dump', 'pg_restore', 'createdb', 'npx animal-store move', 'npx animal-store keys'],
      'npx animal-store projects',
      // Settings, not commands.
      ...['ACME_DIRECTORY_URL=', 'ACME_EAB='],
    ]
    // changes.test.ts runs every command below these headings.
    const elsewhere = [
      ...['Upgrade and rollback', 'Scaling out', 'The password of PostgreSQL', 'The password of Redis'],
      ...["The operator's key", 'The key of the secrets', 'A key of a project'],
    ]
    const unknown = commandsOf(operating, 'sh').filter(
      ({ heading, command }) =>
        !elsewhere.includes(heading) && !known.some(start => command.startsWith(start)),
    )

    expect(unknown).toEqual([])
    expect(readFileSync('README.md', 'utf8')).not.toMatch(/^```sh/m)
  })
})
