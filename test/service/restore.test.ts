import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readInventory } from '../../src/core/pets/inventory.ts'
import { triggers } from '../../src/database/change-log.ts'
import { freshDatabase } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'
import { startApp, type TestProject } from '../support/start-app.ts'

const run = promisify(execFile)
const pet = { name: 'Rex', categoryId: 1, status: 'available' }

/**
 * Makes twenty projects with pets, backs up the database with pg_dump, and starts clients that write and read pets
 * until `stop` is called.
 */
async function startStore() {
  const database = await freshDatabase()
  const url = database.env.DATABASE_URL ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-backup-'))
  const backup = join(folder, 'backup')
  const app = await startApp({ env: database.env })
  const errors = vi.spyOn(app.tools.log, 'error')
  onTestFinished(async () => {
    vi.restoreAllMocks()
    await app.stop()
    await database.remove()
    rmSync(folder, { recursive: true })
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
    ...{ app, errors, statuses, stores, url },
    restore: (...options: string[]) => run(findProgram('pg_restore') ?? '', [...options, '-d', url, backup]),
    async stop() {
      isOver = true
      await Promise.all(clients)
    },
    differences: async () =>
      (await Promise.all(stores.map(areCounted))).filter(difference => difference !== 0),
  }
}

it.runIf(findProgram('pg_restore')).each([
  ['in one transaction, as documented', ['--clean', '--if-exists', '--single-transaction']],
  ['step by step', ['--clean', '--if-exists']],
])('a restore %s under load refuses no valid key and leaves the inventory right', async (_how, options) => {
  const { errors, statuses, restore, stop, differences } = await startStore()

  const restored = await restore(...options).then(
    () => 'restored',
    ({ stderr }) => String(stderr),
  )
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
  if (options.includes('--single-transaction')) expect(restored).toBe('restored')
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
