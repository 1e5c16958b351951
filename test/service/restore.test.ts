import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readInventory } from '../../src/core/pets/inventory.ts'
import { hashSecret, makeSecret, prefixOf } from '../../src/core/secrets.ts'
import { triggers } from '../../src/database/change-log.ts'
import { clientsOf } from '../../src/database/clients.ts'
import { migrateOnce } from '../../src/database/migrate-postgres.ts'
import { readMigrations } from '../../src/database/migrations.ts'
import { administer, freshDatabase, testPool } from '../support/databases.ts'
import { commandsOf } from '../support/documents.ts'
import { findProgram } from '../support/programs.ts'
import { startWithRoles } from '../support/roles.ts'
import { startApp, type TestProject } from '../support/start-app.ts'
import { typeCommand } from '../support/type-command.ts'

const run = promisify(execFile)
const pet = { name: 'Rex', categoryId: 1, status: 'available' }

/** Runs one of the two documented commands: the one that makes a backup, or the one that restores it. */
async function type(step: 'back up' | 'restore', url: string, file: string) {
  const [backUp, restore] = commandsOf('docs/operating.md', 'sh').filter(
    ({ heading }) => heading === 'Backup and restore',
  )
  const { command = '' } = (step === 'restore' ? restore : backUp) ?? {}
  return typeCommand(command.replace('FILE', file), { HOME: dirname(file), DATABASE_URL: url })
}

/** The page says to repeat a restore that ended in a deadlock with a request. */
async function typeRestore(url: string, file: string) {
  let ended = await type('restore', url, file)
  while (ended.stderr.includes('deadlock detected')) ended = await type('restore', url, file)
  return ended
}

function freshFile(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, name)
}

/**
 * Makes twenty projects with pets, backs up the database with pg_dump, and starts clients that write and read pets
 * until `stop` is called.
 */
async function startStore() {
  const database = await freshDatabase()
  const url = database.env.DATABASE_URL ?? ''
  const backup = freshFile('backup')
  const app = await startApp({ env: database.env })
  const errors = vi.spyOn(app.tools.log, 'error')
  onTestFinished(async () => {
    vi.restoreAllMocks()
    await app.stop()
    await database.remove()
  })
  const stores = await Promise.all(
    Array.from({ length: 20 }, () => app.makeProject({ perMinute: 1e9, perDay: 1e9 })),
  )
  const ids = stores.map(({ project }) => project.id).join(', ')
  await run(findProgram('psql') ?? '', [
    ...['-v', 'ON_ERROR_STOP=1', url, '-c'],
    `INSERT INTO pets (project_id, name, category_id, status)
     SELECT unnest(ARRAY[${ids}]), 'Rex', 1, 'available' FROM generate_series(1, 2000)`,
  ])
  await run(findProgram('pg_dump') ?? '', ['-Fc', '-f', backup, url])
  const statuses: number[] = []
  let isOver = false
  const clients = stores.map(async store => {
    while (!isOver) {
      statuses.push((await store.post('/v1/pets', pet)).status)
      statuses.push((await store.get('/v1/pets?limit=1')).status)
    }
  })
  const areCounted = async ({ project }: TestProject) => {
    const { total } = await readInventory(app.tools.database, project)
    return total - (await app.tools.db.pet.count({ where: { projectId: project.id } }))
  }
  return {
    ...{ app, backup, errors, statuses, stores, url },
    async stop() {
      isOver = true
      await Promise.all(clients)
    },
    differences: async () =>
      (await Promise.all(stores.map(areCounted))).filter(difference => difference !== 0),
  }
}

const stepByStep = async (url: string, backup: string) =>
  run(findProgram('pg_restore') ?? '', ['--clean', '--if-exists', '-d', url, backup]).catch(() => {})

it.runIf(findProgram('pg_restore')).each([
  ['as documented', typeRestore],
  ['step by step', stepByStep],
])('a restore %s under load refuses no valid key and leaves the inventory right', async (_how, restore) => {
  const { backup, errors, statuses, stop, differences, url } = await startStore()

  const restored = await restore(url, backup)
  const during = new Set(statuses)
  await expect.poll(() => statuses.slice(-40).every(status => status < 300), { timeout: 20_000 }).toBe(true)
  await stop()

  const unexpected = errors.mock.calls.filter(
    ([line]) => !/Some changes of the database are not logged/.test(String(line)),
  )
  expect(unexpected).toEqual([])
  expect([...during].filter(status => ![200, 201, 503].includes(status))).toEqual([])
  expect(new Set(statuses)).not.toContain(401)
  await expect.poll(differences, { timeout: 20_000 }).toEqual([])
  if (restore === typeRestore) expect(restored).toEqual({ code: 0, stdout: '', stderr: '' })
})

it.runIf(findProgram('pg_restore'))(
  'if a restore without triggers leaves wrong inventory counts, the service corrects the counts automatically',
  async () => {
    const { app, stores, stop, differences, url } = await startStore()
    await stop()
    const { project } = stores[0] ?? {}
    const warnings = vi.spyOn(app.tools.log, 'warn')
    const sql = (text: string) => run(findProgram('psql') ?? '', ['-v', 'ON_ERROR_STOP=1', '-c', text, url])

    await sql(`ALTER TABLE pets DISABLE TRIGGER ALL`)
    await sql(`DELETE FROM pets WHERE project_id = ${project?.id}`)
    expect(await differences()).not.toEqual([])
    await sql(`ALTER TABLE pets ENABLE TRIGGER ALL`)
    for (const name of [
      ...triggers.pets,
      ...['insert', 'update', 'delete', 'truncate'].map(act => `count_pets_${act}`),
    ])
      await sql(`ALTER TABLE pets ENABLE ALWAYS TRIGGER ${name}`)

    await expect.poll(differences, { timeout: 20_000 }).toEqual([])
    await expect
      .poll(() => warnings.mock.calls)
      .toContainEqual([{ projects: [project?.slug] }, 'inventory corrected: counts did not match the pets'])
  },
)

/** The first migration that the older version does not have. Later ones add tables that refer to its tables. */
const firstNewer = '20261126211000_forget_names_of_deleted_people'

/** Runs the migrations before `end` as the owner of the tables. */
async function migrateUntil(owner: string, end: string): Promise<void> {
  const all = await readMigrations()
  const migrationDirectories = all.migrationDirectories.filter(({ path }) => path < end)
  const pool = testPool({ connectionString: owner, max: 1 })
  await migrateOnce(pool, { ...all, migrationDirectories }, clientsOf(owner))
}

it.runIf(findProgram('pg_restore'))(
  'a backup from before an upgrade is restored after the upgrade, and the service starts with its rows',
  async () => {
    const backup = freshFile('backup')
    const { owner, app: DATABASE_URL, superuser } = await startWithRoles()
    // Only a superuser can drop, create or comment on this extension.
    await administer(superuser, 'CREATE EXTENSION pg_stat_statements')
    const secret = makeSecret()
    await migrateUntil(owner, firstNewer)
    await administer(
      superuser,
      `INSERT INTO projects (id, slug, name) VALUES (1, 'shop', 'Shop');
       INSERT INTO api_keys (id, project_id, name, prefix, hash, scopes) VALUES
         (gen_random_uuid(), 1, 'key', '${prefixOf(secret)}', '\\x${hashSecret(secret).toString('hex')}', '{pets:read}');
       INSERT INTO pets (project_id, name, category_id) VALUES (1, 'Old', 1);`,
    )
    expect(await type('back up', owner, backup)).toMatchObject({ code: 0, stderr: '' })
    await migrateUntil(owner, '3')
    await administer(superuser, `INSERT INTO pets (project_id, name, category_id) VALUES (1, 'New', 1)`)

    expect(await type('restore', owner, backup)).toEqual({ code: 0, stdout: '', stderr: '' })
    const app = await startApp({ env: { DATABASE_URL, DATABASE_DIRECT_URL: owner } })
    onTestFinished(() => app.stop())
    await app.tools.database.migrated

    const headers = { authorization: `Bearer ${secret}` }
    const pets = await app.ask('/v1/pets', { headers })
    expect(pets.json).toMatchObject([{ name: 'Old' }])
    expect(pets.json).toHaveLength(1)
    expect(await app.tools.db.operatorToken.count()).toBe(0)
    await expect(administer(DATABASE_URL, 'DROP TABLE pets')).rejects.toThrow(/must be owner/)
  },
)

it.runIf(findProgram('pg_restore'))('a restore of a damaged backup fails and changes nothing', async () => {
  const { backup, url, stop } = await startStore()
  await stop()
  const countPets = () => run('psql', [url, '-Atc', 'SELECT count(*) FROM pets'])
  const before = await countPets()
  truncateSync(backup, Math.floor(statSync(backup).size / 2))

  for (const file of [backup, `${backup}.absent`])
    expect(await type('restore', url, file)).toMatchObject({
      code: expect.not.toSatisfy(code => code === 0),
      stderr: expect.stringContaining('pg_restore: error'),
    })

  expect(await countPets()).toEqual(before)
})
