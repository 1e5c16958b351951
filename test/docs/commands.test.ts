import { chmodSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { aMoment } from '../support/a-moment.ts'
import { ask } from '../support/ask.ts'
import { administer, freshFolder } from '../support/databases.ts'
import { commandsOf, inlineCommandsOf, notTyped } from '../support/documents.ts'
import { findProgram } from '../support/programs.ts'
import { type Service, startPostgres, startRedis } from '../support/services.ts'
import { makeProject, startApp, type TestProject } from '../support/start-app.ts'
import { type Running, startProcess } from '../support/start-process.ts'
import { typeCommand } from '../support/type-command.ts'

const operating = 'docs/operating.md'
const runbook = 'docs/runbook.md'
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

/** Runs a command of a document in a shell that has the service's settings. */
const type = (command: string, more: Record<string, string> = {}) =>
  typeCommand(command, { HOME: folder, ...env, ...more })

/** Runs a statement of a document in psql. */
const typeInPsql = (sql: string) => type('psql "$DATABASE_URL" -Atc "$SQL"', { SQL: sql })

/** Runs commands while the sessions of psql have a short timeout for statements, as the role behind a pooler has. */
async function underTimeout(run: () => Promise<void>): Promise<void> {
  await administer(postgres.url, "ALTER DATABASE shop SET statement_timeout = '1ms'")
  await run().finally(() => administer(postgres.url, 'ALTER DATABASE shop RESET statement_timeout'))
}

const hasAll = ['postgres', 'redis-server', 'psql', 'bash'].every(findProgram)

describe.runIf(hasAll)('the commands of the documents', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'animal-store-docs-'))
    chmodSync(folder, 0o777)
    postgres = await startPostgres()
    redis = await startRedis()
    for (const sql of ['CREATE DATABASE shop', 'CREATE DATABASE store', 'CREATE ROLE store LOGIN'])
      await administer(postgres.url, sql)
    env = { DATABASE_URL: postgres.url.replace(/postgres$/, 'shop'), REDIS_URL: redis.url }
    const here = await startApp({ env })
    const log = openSync(join(folder, 'log'), 'a')
    service = await startProcess({ ...env, OPERATOR_KEY: operatorKey, PROCESSES: '2' }, 'start.js', { log })
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
    expect(commands.map(({ command }) => command.split(' ')[0])).toEqual([
      'pg_dump',
      'deploy/postgres/restore.sh',
    ])

    for (const { command } of commands) {
      const typed = command.replace('FILE', join(folder, 'backup'))
      let ended = await type(typed)
      // The page says to repeat a restore that ended in a deadlock with a waiting request.
      while (ended.stderr.includes('deadlock detected')) ended = await type(typed)
      expect(ended).toMatchObject({ code: 0, stderr: '' })
    }
    await expect.poll(() => statuses.slice(-20).every(status => status < 300), { timeout: 60_000 }).toBe(true)
    const [recount = ''] = inlineCommandsOf(operating, "PGOPTIONS='-c")
    expect(recount).toContain('recount_pets')
    await underTimeout(async () => expect(await type(recount)).toMatchObject({ code: 0, stderr: '' }))

    expect([200, 201, 503]).toEqual(expect.arrayContaining([...new Set(statuses.slice(before))]))
  }, 120_000)

  it('the documented commands ban a key, lift the ban and reset the limits of a project', async () => {
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

  it('PostgreSQL accepts the documented statements for the role behind a pooler', async () => {
    const commands = commandsOf(operating, 'sql')
      .filter(({ heading }) => heading === 'Behind a pooler')
      .map(({ command }) => command)
    expect(commands.length).toBeGreaterThan(3)
    await administer(postgres.url, commands.join('\n'))
  })

  it.each([
    ['is absent', 'DROP INDEX pets_name_search_idx; DROP EXTENSION pg_trgm, btree_gin'],
    [
      'is invalid after an interrupted run',
      "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'pets_name_search_idx'::regclass",
    ],
  ])(
    'the documented statements add the index for searches while clients write if the index %s',
    async (_why, sql) => {
      const isAbove = ({ heading }: { heading: string }) => heading === 'Search by name'
      const [connect] = commandsOf(operating, 'sh').filter(isAbove)
      const commands = commandsOf(operating, 'sql').filter(isAbove)
      const state = `psql "$DATABASE_URL" -Atc "SELECT indisvalid FROM pg_index WHERE indexrelid = 'pets_name_search_idx'::regclass"`
      const url = env.DATABASE_URL ?? ''
      await administer(url, sql)

      await underTimeout(async () => {
        for (const { command } of commands)
          expect(await type(`${connect?.command} -Atc "$SQL"`, { SQL: command })).toMatchObject({ code: 0 })
      })

      expect(await type(state)).toMatchObject({ stdout: 't\n' })
    },
  )

  it('the documented commands move the embedded database to PostgreSQL', async () => {
    const commands = commandsOf(operating, 'sh').filter(
      ({ heading }) => heading === 'From the embedded database to PostgreSQL',
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

  /**
   * Writes the file of settings, and returns the commands at the head of the runbook. The log of this service replaces
   * systemd's journal, and time limits of 5 s become 60 s.
   */
  function settings(): string {
    const { OPS = '', ANIMAL_STORE_URL } = env
    const values = { ...env, OPS_PORT: new URL(OPS).port, ACME_DIRECTORY_URL: `${ANIMAL_STORE_URL}/livez` }
    const lines = Object.entries(values).map(([name, value]) => `${name}='${value}'\n`)
    writeFileSync(join(folder, 'animal-store.env'), lines.join(''))
    const first = commandsOf(runbook, 'sh').map(({ command }) => command)
    return [...first, `journalctl() { cat ${join(folder, 'log')}; }`]
      .join('\n')
      .replace('/etc/', `${folder}/`)
      .replace(/(?<=max-time |TIMEOUT=)5/g, '60')
  }
  const ofRunbook = [...new Set(commandsOf(runbook, 'console').map(({ command }) => command))]

  it.each(ofRunbook.filter(command => !(command in notTyped)))(
    'the command of the runbook runs: %s',
    async command => {
      writeFileSync(join(folder, 'animal-store-backup.prom'), '')
      // The command that measures the latency of Redis runs until it is stopped.
      const here = command
        .replace(/\/backup|\/var\/lib\/node_exporter/, folder)
        .replace(/^redis-cli(?=.*--latency-history)/, 'timeout 1 redis-cli')

      const { code, stderr } = await typeCommand(`${settings()}\nset -o pipefail; ${here}`, { HOME: folder })

      // The command exits with 1 if grep finds no line, because the fault that grep looks for is absent. The command
      // exits with 124 if `timeout` stops the command.
      expect([0, 1, 124]).toContain(code)
      expect(stderr).toBe('')
      const [, metric] = /metrics \| grep \^?(\w+)/.exec(command) ?? []
      if (metric) expect((await ask(`${service.opsUrl}/metrics`)).text).toContain(metric)
    },
  )

  const statements = [
    ...new Set(['SELECT', 'SHOW', 'ALTER'].flatMap(word => inlineCommandsOf(runbook, word))),
  ]
  const statementOf = (start: string) => statements.find(statement => statement.startsWith(start)) ?? start
  const done = { code: 0, stderr: '' }

  it.each(statements.filter(statement => !/^ALTER|PID|setval/.test(statement)))(
    'the statement of the runbook runs: %s',
    async statement => expect(await typeInPsql(statement)).toMatchObject(done),
  )

  it.each(statements.filter(statement => statement.includes('PID')))(
    'the statement of the runbook ends a query or a connection of another program: %s',
    async statement => {
      const [other, watching] = [new pg.Client(env.DATABASE_URL), new pg.Client(env.DATABASE_URL)]
      for (const client of [other, watching]) await client.connect()
      other.on('error', () => {})
      onTestFinished(async () => {
        for (const client of [other, watching]) await client.end()
      })
      const { rows } = await other.query('SELECT pg_backend_pid() AS pid')
      const ending = expect(other.query('SELECT pg_sleep(600)')).rejects.toThrow(/user request|administrator/)
      const running = 'SELECT FROM pg_stat_activity WHERE pid = $1 AND query ~ $2'
      const isRunning = async () => (await watching.query(running, [rows[0].pid, 'pg_sleep'])).rowCount
      await expect.poll(isRunning).toBe(1)

      expect(await typeInPsql(statement.replace('PID', rows[0].pid))).toMatchObject({
        ...done,
        stdout: 't\n',
      })
      await ending
    },
  )

  it('a statement of the runbook corrects a sequence that is behind its table', async () => {
    const far = Date.now()
    await administer(
      env.DATABASE_URL ?? '',
      `INSERT INTO pets (id, project_id, name, category_id) VALUES (${far}, ${store.project.id}, 'Max', 1)`,
    )

    expect(await typeInPsql(statementOf('SELECT setval('))).toMatchObject(done)

    const { json } = await store.post('/v1/pets', { name: 'Rex', categoryId: 1 })
    expect((json as { id: number }).id).toBeGreaterThan(far)
  })

  it('the statements of the runbook let a role and a database connect again', async () => {
    const role = postgres.url.replace('postgres@', 'store@')
    const database = postgres.url.replace(/postgres$/, 'store')
    await administer(postgres.url, 'ALTER ROLE store NOLOGIN')
    await administer(postgres.url, 'ALTER DATABASE store ALLOW_CONNECTIONS false')
    for (const url of [role, database]) await expect(administer(url, 'SELECT 1')).rejects.toThrow()

    expect(await typeInPsql(statementOf('ALTER ROLE'))).toMatchObject(done)
    expect(await typeInPsql(statementOf('ALTER DATABASE'))).toMatchObject(done)

    for (const url of [role, database]) await administer(url, 'SELECT 1')
  })

  it('if writes wait for a replica that is away, a statement of the runbook lets them continue', async () => {
    const waiting = `psql "$DATABASE_URL" -Atc "SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event = 'SyncRep'"`
    await administer(postgres.url, "ALTER SYSTEM SET synchronous_standby_names = '*'")
    await administer(postgres.url, 'SELECT pg_reload_conf()')
    await expect.poll(async () => (await type(waiting)).stdout).toBe('t\n')

    expect(await typeInPsql(statementOf('ALTER SYSTEM'))).toMatchObject(done)
    expect(await typeInPsql(statementOf('SELECT pg_reload_conf'))).toMatchObject(done)

    await expect
      .poll(async () => (await store.post('/v1/pets', { name: 'Rex', categoryId: 1 })).status)
      .toBe(201)
  })
})
