import { describe, expect, it } from 'vitest'
import { freshDatabase } from '../../support/databases.ts'
import { eventsOf, numberAll } from '../../support/events.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

describe.skipIf(!canRace())('events', () => {
  const own = prepareOwnDatabase(freshDatabase)
  const sql = (text: string) => own.db.$executeRawUnsafe(text)
  const pet = (projectId: number, id: number | bigint, name = 'Rex', status = 'NULL') =>
    `(${id}, ${projectId}, '${name}', 7, ${status})`
  const addPets = (...rows: string[]) =>
    sql(`INSERT INTO pets (id, project_id, name, category_id, status) VALUES ${rows.join(', ')}`)
  const shop = async () => (await own.makeProject()).id

  it('each change of a pet writes an event with the shown fields of the pet and the former values of changed fields', async () => {
    const id = await shop()
    await addPets(pet(id, 1, 'Käthe "猫"'), pet(id, 9223372036854775807n, 'Rex', `'available'`))
    await sql(`UPDATE pets SET name = 'Mia', status = 'sold' WHERE project_id = ${id} AND id = 1`)
    await sql(`DELETE FROM pets WHERE project_id = ${id} AND id = 1`)

    expect(await eventsOf(own, id)).toEqual([
      {
        ...{ number: 1, type: 'pet.created', subject: 'pet:1', previous: null },
        data: { id: 1, name: 'Käthe "猫"', categoryId: 7 },
      },
      {
        ...{ number: 2, type: 'pet.created', subject: 'pet:9223372036854775807', previous: null },
        data: { id: Number(9223372036854775807n), name: 'Rex', categoryId: 7, status: 'available' },
      },
      {
        ...{
          number: 3,
          type: 'pet.updated',
          subject: 'pet:1',
          previous: { name: 'Käthe "猫"', status: null },
        },
        data: { id: 1, name: 'Mia', categoryId: 7, status: 'sold' },
      },
      {
        ...{ number: 4, type: 'pet.deleted', subject: 'pet:1', previous: null },
        data: { id: 1, name: 'Mia', categoryId: 7, status: 'sold' },
      },
    ])
  })

  it('an update that changes nothing visible writes no event', async () => {
    const id = await shop()
    await addPets(pet(id, 1))
    await sql(`UPDATE pets SET name = name, open_order_id = 3 WHERE project_id = ${id}`)
    await sql(`UPDATE pets SET name = 'Mia' WHERE project_id = ${id} AND id = 2`)

    expect(await eventsOf(own, id, 1)).toEqual([])
  })

  it('a change that is rolled back writes no event', async () => {
    const id = await shop()
    await own.db
      .$transaction(async tx => {
        await tx.$executeRawUnsafe(
          `INSERT INTO pets (id, project_id, name, category_id) VALUES (1, ${id}, 'Rex', 7)`,
        )
        throw new Error('no')
      })
      .catch(() => {})

    expect(await eventsOf(own, id)).toEqual([])
  })

  it('a pet that gets another id or project is deleted in one event and created in another', async () => {
    const [id, other] = [await shop(), await shop()]
    await addPets(pet(id, 1))
    await sql(`UPDATE pets SET id = 2, project_id = ${other} WHERE project_id = ${id}`)

    expect(await eventsOf(own, id, 1)).toMatchObject([{ type: 'pet.deleted', subject: 'pet:1' }])
    expect(await eventsOf(own, other)).toMatchObject([{ type: 'pet.created', subject: 'pet:2' }])
  })

  it('a statement that adds more than a hundred pets to a project writes one event', async () => {
    const [id, other] = [await shop(), await shop()]
    const rows = Array.from({ length: 101 }, (_, i) => pet(id, i + 10))
    await addPets(...rows, pet(other, 5))
    await addPets(...Array.from({ length: 100 }, (_, i) => pet(other, i + 10)))

    expect(await eventsOf(own, id)).toMatchObject([
      { type: 'pets.created', subject: null, data: { count: 101, firstId: 10, lastId: 110 } },
    ])
    const ofOther = await eventsOf(own, other)
    expect(ofOther.map(({ type }) => type)).toEqual(Array(101).fill('pet.created'))
    expect(ofOther.map(({ number }) => number)).toEqual(Array.from({ length: 101 }, (_, i) => i + 1))
  })

  it('truncating a table writes one event for every project', async () => {
    const id = await shop()
    await sql('TRUNCATE pets, orders, categories')

    expect(await eventsOf(own, id)).toMatchObject(Array(3).fill({ type: 'pets.replaced', data: {} }))
  })

  it('each change of an order by SQL writes an event', async () => {
    const id = await shop()
    await sql(`INSERT INTO orders (id, project_id, pet_id, pet_name, category_id, placed_at)
      VALUES (3, ${id}, 1, 'Rex', 7, '2026-12-01T09:30:00.120Z')`)
    await sql(
      `UPDATE orders SET status = 'approved', approved_at = '2026-12-01T09:31Z' WHERE project_id = ${id}`,
    )
    await sql(`UPDATE orders SET former_status = 'sold', note = 'Call.' WHERE project_id = ${id}`)
    await sql(`UPDATE orders SET former_status = NULL WHERE project_id = ${id}`)
    await sql(`DELETE FROM orders WHERE project_id = ${id}`)

    const order = { id: 3, petId: 1, categoryId: 7, petName: 'Rex', placedAt: '2026-12-01T09:30:00.120Z' }
    const approved = { ...order, status: 'approved', approvedAt: '2026-12-01T09:31:00.000Z' }
    expect(await eventsOf(own, id)).toEqual([
      {
        ...{ number: 1, type: 'order.placed', subject: 'order:3', previous: null },
        data: { ...order, status: 'placed' },
      },
      {
        ...{ number: 2, type: 'order.approved', subject: 'order:3', data: approved },
        previous: { status: 'placed', approvedAt: null },
      },
      {
        ...{ number: 3, type: 'order.updated', subject: 'order:3', previous: { note: null } },
        data: { ...approved, note: 'Call.' },
      },
      {
        ...{ number: 4, type: 'order.deleted', subject: 'order:3', previous: null },
        data: { ...approved, note: 'Call.' },
      },
    ])
  })

  it('an order that gets another id or project is deleted in one event and placed in another', async () => {
    const [id, other] = [await shop(), await shop()]
    await sql(
      `INSERT INTO orders (id, project_id, pet_id, pet_name, category_id) VALUES (3, ${id}, 1, 'Rex', 7)`,
    )
    await sql(`UPDATE orders SET id = 4, project_id = ${other} WHERE project_id = ${id}`)

    expect(await eventsOf(own, id, 1)).toMatchObject([
      { type: 'order.deleted', subject: 'order:3', data: { id: 3 }, previous: null },
    ])
    expect(await eventsOf(own, other)).toMatchObject([
      { type: 'order.placed', subject: 'order:4', data: { id: 4 }, previous: null },
    ])
  })

  it('each change of a category name by SQL writes an event', async () => {
    const id = await shop()
    await sql(`INSERT INTO categories (project_id, id, name) VALUES (${id}, 7, 'Hounds')`)
    await sql(`UPDATE categories SET name = 'Dogs' WHERE project_id = ${id}`)
    await sql(`UPDATE categories SET name = 'Dogs' WHERE project_id = ${id}`)
    await sql(`DELETE FROM categories WHERE project_id = ${id}`)

    expect(await eventsOf(own, id)).toMatchObject([
      { type: 'category.named', subject: 'category:7', data: { id: 7, name: 'Hounds' }, previous: null },
      { type: 'category.named', data: { id: 7, name: 'Dogs' }, previous: { name: 'Hounds' } },
      { type: 'category.removed', subject: 'category:7', data: { id: 7, name: 'Dogs' } },
    ])
  })

  it('a role that may only edit pets needs no rights on the events', async () => {
    const id = await shop()
    const role = `editor_${id}_${process.pid}`
    await sql(`CREATE ROLE ${role}`)
    await sql(`GRANT INSERT ON pets TO ${role}`)
    await own.db.$transaction([
      own.db.$executeRawUnsafe(`SET LOCAL ROLE ${role}`),
      own.db.$executeRawUnsafe(
        `INSERT INTO pets (id, project_id, name, category_id) VALUES (1, ${id}, 'Rex', 7)`,
      ),
    ])
    await sql(`REVOKE ALL ON pets FROM ${role}`)
    await sql(`DROP ROLE ${role}`)

    expect(await eventsOf(own, id)).toMatchObject([{ type: 'pet.created' }])
  })

  it('a bulk load with session_replication_role = replica writes no events', async () => {
    const id = await shop()
    await own.db.$transaction([
      own.db.$executeRawUnsafe(`SET LOCAL session_replication_role = replica`),
      own.db.$executeRawUnsafe(
        `INSERT INTO pets (id, project_id, name, category_id) VALUES (1, ${id}, 'Rex', 7)`,
      ),
    ])
    await numberAll(own)

    expect(await eventsOf(own, id)).toEqual([])
  })
})
