import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'

/** The database has these constraints, so they also hold for manual edits. */
describe.skipIf(!canRace())('database constraints', () => {
  const own = prepareOwnDatabase()
  const sql = (text: string) => own.db.$executeRawUnsafe(text)
  const createPet = (more = '', values = '') =>
    `INSERT INTO pets (id, project_id, name, category_id${more}) VALUES (7, 1, 'Rex', 1${values})`
  const addOrder = (more = '', values = '') =>
    `INSERT INTO orders (project_id, pet_id, pet_name, category_id${more}) VALUES (1, 7, 'Rex', 1${values})`
  const addCreation = (bytes: number, key = 'k') =>
    `INSERT INTO idempotent_creations (project_id, key, input_hash, expires_at)
     VALUES (1, '${key}', decode(repeat('ab', ${bytes}), 'hex'), now())`
  const nameCategory = `INSERT INTO categories (project_id, id, name) VALUES (1, 1, 'Dogs')`
  const rename = (letters: number) => `UPDATE pets SET name = repeat('🐈', ${letters})`

  beforeAll(async () => {
    await own.db.project.createMany({ data: [1, 2].map(id => ({ id, slug: `shop-${id}`, name: 'Shop' })) })
    for (const text of [createPet(), nameCategory, addCreation(32), addOrder(', reference', `, 'web-1'`)])
      await sql(text)
  })
  afterAll(() => sql('TRUNCATE pets, orders'))

  it.each([
    ['a pet with an empty name', rename(0), 'pets_name_check'],
    ['a name of 256 letters', rename(256), 'pets_name_check'],
    ['a second pet with the id of another', createPet(), 'pets_pkey'],
    ['a second name of a category', nameCategory, 'categories_pkey'],
    ['a second creation with one idempotency key', addCreation(32), 'idempotent_creations_pkey'],
    ['an input hash that is too short', addCreation(31, 'other'), 'idempotent_creations_input_hash_check'],
    ['an input hash that is too long', addCreation(33, 'other'), 'idempotent_creations_input_hash_check'],
    [
      'a second order with the reference of another',
      addOrder(', reference, status', `, 'web-1', 'cancelled'`),
      'orders_project_id_reference_key',
    ],
    ['a second open order of a pet', addOrder(', status', `, 'approved'`), 'orders_open_pet_key'],
    ['the deletion of a project with pets', 'DELETE FROM projects WHERE id = 1', '_project_id_fkey'],
    ['pets of a project that does not exist', 'UPDATE pets SET project_id = 3', 'pets_project_id_fkey'],
    ['orders of a project that does not exist', 'UPDATE orders SET project_id = 3', 'orders_project_id_fkey'],
    [
      'names of categories of a project that does not exist',
      'UPDATE categories SET project_id = 3',
      'categories_project_id_fkey',
    ],
    [
      'idempotency keys of a project that does not exist',
      'UPDATE idempotent_creations SET project_id = 3',
      'idempotent_creations_project_id_fkey',
    ],
  ])('the database refuses %s', async (_, text, rule) => {
    await expect(sql(text)).rejects.toThrow(rule)
  })

  it.each([
    ['a name of one letter', rename(1)],
    ['a name of 255 letters', rename(255)],
    ['a further, cancelled order of a pet', addOrder(', status', `, 'cancelled'`)],
    ['a further order without a reference', addOrder(', status', `, 'delivered'`)],
    [
      'an equal order in another project',
      `WITH pet AS (INSERT INTO pets (id, project_id, name, category_id) VALUES (7, 2, 'Rex', 1))
       INSERT INTO orders (project_id, pet_id, pet_name, category_id, reference) VALUES (2, 7, 'Rex', 1, 'web-1')`,
    ],
  ])('the database accepts %s', async (_, text) => {
    expect(await sql(text)).toBe(1)
  })

  it.each(['orders', 'categories', 'idempotent_creations'])(
    'the database refuses to delete a project that has %s',
    async table => {
      await sql(`DELETE FROM pets WHERE project_id = 2`)
      for (const other of ['orders', 'categories', 'idempotent_creations'])
        await sql(`DELETE FROM ${other} WHERE project_id = 2`)
      const of =
        { orders: addOrder(), categories: nameCategory, idempotent_creations: addCreation(32) }[table] ?? ''
      await sql(of.replace('VALUES (1,', 'VALUES (2,'))

      await expect(sql('DELETE FROM projects WHERE id = 2')).rejects.toThrow(`${table}_project_id_fkey`)
    },
  )
})
