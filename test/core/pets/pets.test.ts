import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { StoreError } from '../../../src/core/errors.ts'
import { createPet } from '../../../src/core/pets/create.ts'
import { openPets } from '../../../src/core/pets/pets.ts'
import type { Project } from '../../../src/core/project.ts'
import { lockProject } from '../../../src/core/project-lock.ts'
import { openDatabase } from '../../../src/database/open-database.ts'
import { systemClock } from '../../../src/tools/clock.ts'
import { freshDatabase } from '../../support/databases.ts'
import { fill } from '../../support/fill.ts'
import { findProgram } from '../../support/programs.ts'

test.skipIf(!findProgram('postgres'))(
  'pages and pets are read by an index, even if the statement was planned while the table was small',
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
    const first = await pets.createPet(project, { name: 'Rex', categoryId: 1n, status: 'sold' })
    await sql('ANALYZE pets')
    const read = async () => {
      for (const status of [null, 'sold'] as const)
        for (const categoryId of [null, 1n])
          for (const newestFirst of [false, true])
            await pets.list(project, { limit: 5, after: null, status, categoryId, name: null, newestFirst })
      await pets.find(project, first.id)
    }
    /**
     * Returns PostgreSQL's count of sequential scans of the pets. PostgreSQL reports the count with the next statement.
     */
    const scans = async () => {
      for (const text of ['SELECT pg_stat_force_next_flush()::text', 'SELECT 1::text']) {
        await database.run({ name: text, text, values: [] })
      }
      return Number((await sql(`SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'pets'`)).seq_scan)
    }
    // Read once first, to open the connection that the later reads share.
    await read()
    await pause(100)
    await read()
    await fill(
      { config: { databaseUrl: env.DATABASE_URL ?? null }, db: database.db },
      `INSERT INTO pets (project_id, name, category_id) SELECT ${id}, 'Max', 1 FROM generate_series(1, 20000)`,
    )
    const before = await scans()

    await read()

    expect(await scans()).toBe(before)
  },
)

test.skipIf(!findProgram('postgres'))(
  'a pet is found by its idempotency key through an index, even if the statement was planned while the table was small',
  async () => {
    const { env, remove } = await freshDatabase()
    onTestFinished(remove)
    const database = await openDatabase({ databaseUrl: env.DATABASE_URL ?? '', dataDir: '' })
    onTestFinished(() => database.close())
    const { db, run } = database
    const project = (await db.project.create({ data: { slug: 'zoo', name: 'Zoo' } })) as unknown as Project
    const tools = {
      pets: openPets(database),
      db,
      clock: systemClock,
      limiter: { renewVersion: async () => true },
    }
    const add = (key: string) => createPet(tools, project, { name: 'Rex', categoryId: 1n, status: null }, key)
    // Sequential requests share one connection, which counts its reads.
    const rowsRead = async () => {
      await run({ name: 'flush', text: 'SELECT pg_stat_force_next_flush()::text', values: [] })
      const text = `SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'idempotent_creations'`
      return Number((await run({ name: 'rows_read', text, values: [] }))[0]?.[0])
    }
    await db.$executeRaw`ANALYZE idempotent_creations`
    await add('first')
    await fill(
      { config: { databaseUrl: env.DATABASE_URL ?? null }, db },
      `INSERT INTO idempotent_creations (project_id, key, input_hash, pet_id, expires_at)
       SELECT ${project.id}, 'key ' || n, sha256('pet'), n, now() + interval '1 day' FROM generate_series(1, 20000) AS n`,
    )
    await rowsRead()
    const before = await rowsRead()

    await add('second')

    expect((await rowsRead()) - before).toBeLessThan(10)
  },
)

test.skipIf(!findProgram('postgres'))(
  'a transaction that locks a project blocks neither the creation of pets nor the lock of another project',
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
      pets
        .createPet({ id } as Project, { name: 'Rex', categoryId: 1n, status: null })
        .then(({ name }) => name)

    const created = await db.$transaction(async tx => {
      await lockProject(tx, zoo?.id ?? 0)
      // Lock another project in a second transaction: it must not wait for the lock of the first project.
      await db.$transaction(other => lockProject(other, farm?.id ?? 0))
      return Promise.all([create(zoo?.id), create(farm?.id)])
    })

    expect(created).toEqual(['Rex', 'Rex'])
  },
)

test.skipIf(!findProgram('postgres'))(
  'concurrent requests of several projects each get the pets of their own project',
  async () => {
    const { env, remove } = await freshDatabase()
    onTestFinished(remove)
    const database = await openDatabase({ databaseUrl: env.DATABASE_URL ?? '', dataDir: '' })
    onTestFinished(() => database.close())
    const pets = openPets(database)
    const slugs = ['zoo', 'farm', 'shop']
    const projects = (await database.db.project.createManyAndReturn({
      data: slugs.map(slug => ({ slug, name: slug })),
    })) as unknown as Project[]
    const each = <T>(ask: (project: Project, n: number) => Promise<T>) =>
      Promise.all(Array.from({ length: 90 }, (_, n) => ask(projects[n % 3] as Project, n)))
    const nameOf = (project: Project, n: number) => `${n} of ${project.slug}`

    const made = await each((project, n) =>
      pets.createPet(project, { name: nameOf(project, n), categoryId: BigInt(n), status: null }),
    )
    const idOf = (n: number) => made[n]?.id ?? 0n
    expect(made.map(({ name }) => name)).toEqual(await each(async (project, n) => nameOf(project, n)))
    expect(made.map(({ categoryId }) => categoryId)).toEqual(await each(async (_, n) => BigInt(n)))

    // The query finds only pets of the asking project.
    expect(await each((project, n) => pets.find(project, idOf(n)))).toEqual(made)
    const notMine = await each((project, n) => pets.find(project, idOf(n === 89 ? 0 : n + 1)).catch(codeOf))
    expect(new Set(notMine)).toEqual(new Set(['pet_not_found']))

    const all = { status: null, categoryId: null, name: null, newestFirst: false }
    const pages = await each((project, n) => pets.list(project, { ...all, limit: 1 + (n % 7), after: null }))
    expect(pages.map(page => page.pets.map(({ name }) => name))).toEqual(
      await each(async (project, n) =>
        made
          .filter(({ name }) => name.endsWith(project.slug))
          .slice(0, 1 + (n % 7))
          .map(({ name }) => name),
      ),
    )

    const renamed = await each((project, n) => pets.update(project, idOf(n), { name: `New ${n}` }, null))
    expect(renamed.map(({ id, name }) => [id, name])).toEqual(
      await each(async (_, n) => [idOf(n), `New ${n}`]),
    )
    const other = projects[1] as Project
    expect(await pets.update(other, idOf(0), { name: 'Stolen' }, null).catch(codeOf)).toBe('pet_not_found')
    expect(await pets.delete(other, idOf(0), null).catch(codeOf)).toBe('pet_not_found')

    // Three requests change the same pet at once. Each gets its own answer, although they share a statement.
    const shared = (n: number) => idOf((n % 3) + 3 * Math.floor(n / 9))
    const again = await each((project, n) => pets.update(project, shared(n), { name: `Again ${n}` }, null))
    expect(again.map(({ id, name }) => [id, name])).toEqual(
      await each(async (_, n) => [shared(n), `Again ${n}`]),
    )

    // Every third pet is deleted while the others are changed.
    const ends = await each((project, n) =>
      n % 3 === 0
        ? pets.delete(project, idOf(n), null).then(() => 'gone')
        : pets.update(project, idOf(n), { name: `Last ${n}` }, null).then(({ name }) => name),
    )
    expect(ends).toEqual(await each(async (_, n) => (n % 3 === 0 ? 'gone' : `Last ${n}`)))
    const left = await each((project, n) => pets.find(project, idOf(n)).then(({ name }) => name, codeOf))
    expect(left).toEqual(await each(async (_, n) => (n % 3 === 0 ? 'pet_not_found' : `Last ${n}`)))
  },
)

const codeOf = (error: unknown) => (error instanceof StoreError ? error.code : error)
