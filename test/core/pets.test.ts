import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openPets } from '../../src/core/pets.ts'
import { lockProject } from '../../src/core/project-lock.ts'
import type { Project } from '../../src/core/projects.ts'
import { openDatabase } from '../../src/database/database.ts'
import { freshDatabase } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'

test.skipIf(!findProgram('postgres'))(
  'pages and pets are found by index, however small the table was when that was planned',
  async () => {
    const { env, remove } = await freshDatabase()
    onTestFinished(remove)
    const database = await openDatabase({ databaseUrl: env.DATABASE_URL ?? '', dataDir: '' })
    onTestFinished(() => database.close())
    const pets = openPets(database)
    const sql = async (text: string) => (await database.pool?.query(text))?.rows[0]
    const { id } = await sql(
      `INSERT INTO projects (slug, name, plan) VALUES ('zoo', 'Zoo', 'free') RETURNING id`,
    )
    const project = { id } as Project
    const first = await pets.create(project, { name: 'Rex', categoryId: 1n, status: 'sold' })
    await sql('ANALYZE pets')
    const read = async () => {
      for (const status of [null, 'sold'] as const)
        for (const categoryId of [null, 1n])
          for (const newestFirst of [false, true])
            await pets.list(project, { limit: 5, after: null, status, categoryId, name: null, newestFirst })
      await pets.find(project, first.id)
    }
    /** As its own connection counts them; it is told to report at once, which it does with its next statement. */
    const scans = async () => {
      for (const text of ['SELECT pg_stat_force_next_flush()::text', 'SELECT 1::text']) {
        await database.run({ name: text, text, values: [] })
      }
      return Number((await sql(`SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'pets'`)).seq_scan)
    }
    // The first reads open the connection that the next ones share.
    await read()
    await pause(100)
    await read()
    await sql(
      `INSERT INTO pets (project_id, name, category_id) SELECT ${id}, 'Max', 1 FROM generate_series(1, 20000)`,
    )
    const before = await scans()

    await read()

    expect(await scans()).toBe(before)
  },
)

test.skipIf(!findProgram('postgres'))(
  'pets come in for all projects while somebody works on one of them',
  async () => {
    const { env, remove } = await freshDatabase()
    onTestFinished(remove)
    const database = await openDatabase({ databaseUrl: env.DATABASE_URL ?? '', dataDir: '' })
    onTestFinished(() => database.close())
    const { db } = database
    const pets = openPets(database)
    const [zoo, farm] = await db.project.createManyAndReturn({
      data: [
        { slug: 'zoo', name: 'Zoo' },
        { slug: 'farm', name: 'Farm' },
      ],
    })
    const create = (id = 0) =>
      pets.create({ id } as Project, { name: 'Rex', categoryId: 1n, status: null }).then(({ name }) => name)

    const created = await db.$transaction(async tx => {
      await lockProject(tx, zoo?.id ?? 0)
      return Promise.all([create(zoo?.id), create(farm?.id)])
    })

    expect(created).toEqual(['Rex', 'Rex'])
  },
)
