import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUpCounts } from '../../src/core/pets/inventory.ts'
import { graphqlOf } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const of = async (store: TestProject) => (await store.get('/v1/store/inventory')).json
const nothing = { available: 0, pending: 0, sold: 0, unset: 0, total: 0 }
const sql = (text: string) => app.tools.db.$executeRawUnsafe(text)

/** Counts the pets in their table. */
async function counted({ project }: TestProject) {
  const pets = await app.tools.db.pet.findMany({ where: { projectId: project.id } })
  const inventory: Record<string, number> = { ...nothing, total: pets.length }
  for (const { status } of pets) inventory[status ?? 'unset'] = (inventory[status ?? 'unset'] ?? 0) + 1
  return inventory
}

describe('the inventory', () => {
  it('the inventory counts pets by status right after each change, the same over REST and GraphQL, for one request', async () => {
    const store = await app.makeProject()
    expect(await of(store)).toEqual(nothing)

    const { json } = await store.post('/v1/pets', { name: 'Max', categoryId: 1, status: 'available' })
    await store.post('/v1/pets', { name: 'Rex', categoryId: 1 })
    expect(await of(store)).toEqual({ ...nothing, available: 1, unset: 1, total: 2 })
    const path = `/v1/pets/${(json as { id: number }).id}`
    await store.patch(path, { status: 'sold' })
    await store.patch(path, { name: 'Moritz', categoryId: 2 })
    expect(await of(store)).toEqual({ ...nothing, sold: 1, unset: 1, total: 2 })
    await store.delete(path)

    const answer = await store.get('/v1/store/inventory')
    expect(answer.json).toEqual({ ...nothing, unset: 1, total: 1 })
    const fields = '{ inventory { available pending sold unset total } }'
    const overGraphql = await graphqlOf(app, store)(fields)
    expect(overGraphql.data.inventory).toEqual(answer.json)
    expect(Number(overGraphql.headers['x-ratelimit-remaining'])).toBe(
      Number(answer.headers['x-ratelimit-remaining']) - 1,
    )
  })

  it('a client gets a 304 for an unchanged inventory, and a 200 once it has changed', async () => {
    const store = await app.makeProject()
    const { etag = '' } = (await store.get('/v1/store/inventory')).headers

    const again = await store.get('/v1/store/inventory', { 'if-none-match': etag })
    await store.post('/v1/pets', { name: 'Max', categoryId: 1 })
    const changed = await store.get('/v1/store/inventory', { 'if-none-match': etag })

    expect([again.status, again.text, changed.status]).toEqual([304, '', 200])
  })

  it.each([
    [
      'an insert of many pets',
      `INSERT INTO pets (project_id, name, category_id, status) SELECT $1, 'x', i, (ARRAY['sold', NULL])[1 + i % 2]::"PetStatus" FROM generate_series(1, 1000) AS i`,
    ],
    ['a new status for all pets', `UPDATE pets SET status = 'sold' WHERE project_id = $1`],
    ['the removal of a status', `UPDATE pets SET status = NULL WHERE project_id = $1 AND category_id < 2`],
    ['a new name for all pets', `UPDATE pets SET name = 'y' WHERE project_id = $1`],
    [
      'an upsert',
      `INSERT INTO pets (project_id, id, name, category_id, status) SELECT project_id, id, name, category_id, 'pending' FROM pets WHERE project_id = $1 ON CONFLICT (project_id, id) DO UPDATE SET status = excluded.status`,
    ],
    ['a deletion of some pets', `DELETE FROM pets WHERE project_id = $1 AND category_id % 2 = 0`],
    ['new ids for all pets', `UPDATE pets SET id = id + 1000000 WHERE project_id = $1`],
  ])(
    'the inventory counts pets correctly after %s by SQL, before and after the stored changes of the counts are added up',
    async (_, change) => {
      const store = await app.makeProject()
      for (let i = 0; i < 4; i++)
        await store.post('/v1/pets', { name: 'Max', categoryId: i, ...(i % 2 && { status: 'available' }) })
      const text = change.replaceAll('$1', String(store.project.id))

      await sql(text)
      expect(await of(store)).toEqual(await counted(store))
      await addUpCounts(app.tools.database)
      await sql(text.replace('id + 1000000', 'id + 2000000'))
      expect(await of(store)).toEqual(await counted(store))
      await addUpCounts(app.tools.database)
      expect(await of(store)).toEqual(await counted(store))
    },
  )

  it.each([
    `INSERT INTO pets (project_id, name, category_id, status) VALUES ($1, 'Rex', 1, 'pending')`,
    `UPDATE pets SET status = 'sold' WHERE project_id = $1`,
    `DELETE FROM pets WHERE project_id = $1`,
  ])('the inventory is right after a restore, in which only ALWAYS triggers fire: %s', async change => {
    const store = await app.makeProject()
    for (const status of ['available', 'pending'])
      await store.post('/v1/pets', { name: 'Max', categoryId: 1, status })
    const before = await of(store)

    await app.tools.db.$transaction(async tx => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`
      await tx.$executeRawUnsafe(change.replace('$1', String(store.project.id)))
    })

    expect(await of(store)).toEqual(await counted(store))
    expect(await of(store)).not.toEqual(before)
  })

  it('the inventory follows pets that move to another project', async () => {
    const [store, other] = [await app.makeProject(), await app.makeProject()]
    await store.post('/v1/pets', { name: 'Max', categoryId: 1, status: 'sold' })

    await sql(`UPDATE pets SET project_id = ${other.project.id} WHERE project_id = ${store.project.id}`)

    expect([await of(store), await of(other)]).toEqual([nothing, { ...nothing, sold: 1, total: 1 }])
  })

  it('the inventory ignores rolled back changes', async () => {
    const store = await app.makeProject()
    const data = { projectId: store.project.id, name: 'Max', categoryId: 1n }

    const failing = app.tools.db.$transaction(async tx => {
      await tx.pet.create({ data })
      throw new Error('rolled back')
    })

    await expect(failing).rejects.toThrow('rolled back')
    expect(await of(store)).toEqual(nothing)
  })

  it('the inventory is exact after a hundred concurrent changes, while counts are being added up', async () => {
    const store = await app.makeProject()
    let isOver = false
    const adding = (async () => {
      while (!isOver) await Promise.all([addUpCounts(app.tools.database), addUpCounts(app.tools.database)])
    })()

    const added = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        store.post('/v1/pets', { name: 'Max', categoryId: i % 3, ...(i % 2 && { status: 'sold' }) }),
      ),
    )
    const seen = await Promise.all(
      added.map(async ({ json }, i) => {
        const path = `/v1/pets/${(json as { id: number }).id}`
        await (i % 3 === 0 ? store.delete(path) : store.patch(path, { status: 'pending' }))
        return of(store)
      }),
    )
    isOver = true
    await adding

    for (const each of seen as Record<string, number>[]) expect(each.total).toBeGreaterThanOrEqual(40)
    expect(await of(store)).toEqual({ ...nothing, pending: 40, total: 40 })
  })

  it("an operator's recount corrects the inventory, even while pets are added and deleted", async () => {
    const store = await app.makeProject()
    for (let i = 0; i < 4; i++)
      await store.post('/v1/pets', { name: 'Max', categoryId: i, status: 'available' })
    await sql('ALTER TABLE pets DISABLE TRIGGER count_pets_update')
    await sql(`UPDATE pets SET status = 'sold' WHERE project_id = ${store.project.id} AND category_id < 2`)
    await sql('ALTER TABLE pets ENABLE ALWAYS TRIGGER count_pets_update')
    expect(await of(store)).toEqual({ ...nothing, available: 4, total: 4 })

    await Promise.all([
      ...Array.from({ length: 10 }, () => store.post('/v1/pets', { name: 'Rex', categoryId: 1 })),
      ...Array.from({ length: 3 }, () => sql('SELECT recount_pets()')),
      ...Array.from({ length: 3 }, () => addUpCounts(app.tools.database)),
      ...Array.from({ length: 10 }, () => store.post('/v1/pets', { name: 'Rex', categoryId: 2 })),
    ])

    expect(await of(store)).toEqual({ ...nothing, available: 2, sold: 2, unset: 20, total: 24 })
    expect(await of(store)).toEqual(await counted(store))
  })

  it('the count of a category is deleted when the category is empty', async () => {
    const store = await app.makeProject()
    const ids: unknown[] = []
    for (const categoryId of [1, 2]) {
      const { json } = await store.post('/v1/pets', { name: 'Max', categoryId })
      ids.push((json as { id: number }).id)
    }
    await addUpCounts(app.tools.database)

    await store.delete(`/v1/pets/${ids[0]}`)
    await addUpCounts(app.tools.database)

    const counts = () =>
      app.tools.db.$queryRaw`SELECT what, count::int FROM pet_counts
        WHERE project_id = ${store.project.id}::int AND what LIKE 'category %'`
    // Another process may be adding up at this moment.
    await expect.poll(counts).toEqual([{ what: 'category 2', count: 1 }])
  })

  it('the inventory needs the scope pets:read', async () => {
    const store = await app.makeProject({ scopes: ['pets:write'] })

    expect((await store.get('/v1/store/inventory')).status).toBe(403)
  })

  // This test empties the table for all tests, so it is the last one.
  it('after the SQL statement TRUNCATE empties the table of pets, the inventory counts no pets', async () => {
    const store = await app.makeProject()
    await store.post('/v1/pets', { name: 'Max', categoryId: 1, status: 'sold' })
    // Merge the counts now: the first pet is then merged, and the second is not.
    await addUpCounts(app.tools.database)
    await store.post('/v1/pets', { name: 'Rex', categoryId: 1, status: 'sold' })
    expect(await of(store)).toEqual({ ...nothing, sold: 2, total: 2 })

    await sql('TRUNCATE pets CASCADE')

    expect(await of(store)).toEqual(nothing)
  })
})
