import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { triggers } from '../../src/database/change-log.ts'
import { ask } from '../support/ask.ts'
import { administer } from '../support/databases.ts'
import { commandsOf, inlineCommandsOf } from '../support/documents.ts'
import { addMany } from '../support/import.ts'
import { findProgram } from '../support/programs.ts'
import { startWithRoles } from '../support/roles.ts'
import { startApp } from '../support/start-app.ts'
import { startProcess } from '../support/start-process.ts'

async function migrate(env: Record<string, string>) {
  const migration = await startProcess(env, 'migrate.ts')
  return { code: await migration.ended, output: migration.output() }
}

it.runIf(findProgram('postgres'))(
  'the service serves requests and runs its jobs as a role that owns nothing, and only migrations need the owner',
  async () => {
    const { owner, app: DATABASE_URL } = await startWithRoles()
    const alone = await migrate({ DATABASE_URL })
    const asOwner = await migrate({ DATABASE_URL, DATABASE_DIRECT_URL: owner })
    const app = await startApp({ env: { DATABASE_URL, SEED_DEMO: '1', OPERATOR_KEY: 'k'.repeat(32) } })
    onTestFinished(() => app.stop())
    const project = await app.makeProject()
    const client = new pg.Client(DATABASE_URL)
    await client.connect()
    onTestFinished(() => client.end())

    expect(alone).toMatchObject({ code: 1, output: expect.stringContaining('permission denied') })
    expect(asOwner).toEqual({ code: 0, output: 'The database is at this version.\n' })
    const pet = await project.post('/v1/pets', { name: 'Rex', categoryId: 7, status: 'available' })
    const { id } = pet.json as { id: number }
    const order = await project.post('/v1/store/orders', { petId: id })
    const imported = await addMany(project, 1)
    const [name, now] = ['a.roles.test', new Date()]
    const times = { createdAt: now, looksSince: now }
    expect([pet.status, order.status, imported.status]).toEqual([201, 201, 201])
    await app.tools.db.domain.create({
      data: { projectId: project.project.id, name, ownedName: name, state: 'live', ...times },
    })
    expect((await project.patch(`/v1/pets/${id}`, { name: 'Max' })).status).toBe(200)
    await client.query('SELECT recount_pets()')
    expect((await project.get('/v1/store/inventory')).status).toBe(200)
    expect((await project.get('/v1/pets')).json).toHaveLength(2)
    await app.tools.usageCounter.close()
    expect((await client.query('SELECT count(*)::int FROM usage')).rows[0].count).toBeGreaterThan(0)
    expect((await ask(`${app.url}/readyz`)).json).toEqual({ status: 'ready' })

    for (const sql of [
      'CREATE TABLE own (id int)',
      'DROP TABLE pets',
      'ALTER TABLE pets DISABLE TRIGGER ALL',
      'TRUNCATE pets',
      'CREATE ROLE other',
      'SET ROLE store_owner',
    ])
      await expect(client.query(sql), sql).rejects.toThrow(/permission denied|must be owner/)
    const owned = await client.query(
      "SELECT relname FROM pg_class WHERE relowner = 'store_app'::regrole AND relnamespace = 'public'::regnamespace",
    )
    expect(owned.rows).toEqual([])

    const folder = mkdtempSync(join(tmpdir(), 'animal-store-roles-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [backUp, restore] = commandsOf('docs/operating.md', 'sh')
      .filter(({ heading }) => heading === 'Backup and restore')
      .map(({ command }) => command.replace('FILE', join(folder, 'backup')))
    const type = (command = '', role: string) =>
      promisify(execFile)('bash', ['-c', command], { env: { ...process.env, DATABASE_URL: role } })
    await type(backUp, DATABASE_URL)
    await type(restore, owner)
    await expect
      .poll(async () => (await project.post('/v1/pets', { name: 'Tom', categoryId: 7 })).status)
      .toBe(201)
    await expect(client.query('DROP TABLE pets')).rejects.toThrow(/must be owner/)
  },
)

it.runIf(findProgram('postgres'))(
  'the role of the service cannot run the repairs of the runbook, but the owner of the tables or a superuser can',
  async () => {
    const { owner, app: DATABASE_URL, superuser } = await startWithRoles()
    await migrate({ DATABASE_URL, DATABASE_DIRECT_URL: owner })
    const app = await startApp({ env: { DATABASE_URL, OPERATOR_KEY: 'k'.repeat(32) } })
    onTestFinished(() => app.stop())
    const project = await app.makeProject()
    await project.post('/v1/pets', { name: 'Rex', categoryId: 7 })
    const statementOf = (start: string) =>
      ['SELECT', 'ALTER']
        .flatMap(word => inlineCommandsOf('docs/runbook.md', word))
        .find(statement => statement.startsWith(start)) ?? ''
    const [trigger = ''] = triggers.pets
    const repair = `ALTER TABLE pets ENABLE ALWAYS TRIGGER ${trigger}`
    await administer(owner, `ALTER TABLE pets DISABLE TRIGGER ${trigger}`)

    for (const statement of [statementOf('SELECT setval('), repair]) {
      await expect(administer(DATABASE_URL, statement), statement).rejects.toThrow(/permission|must be owner/)
      await administer(owner, statement)
    }
    expect((await project.post('/v1/pets', { name: 'Max', categoryId: 7 })).status).toBe(201)

    await administer(superuser, 'ALTER ROLE store_app NOLOGIN')
    await expect(administer(DATABASE_URL, 'SELECT 1')).rejects.toThrow(/not permitted to log in/)
    await administer(superuser, statementOf('ALTER ROLE').replace('ROLE store', 'ROLE store_app'))
    await administer(DATABASE_URL, 'SELECT 1')
  },
)
