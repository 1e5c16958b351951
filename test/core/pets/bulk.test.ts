import { afterAll, beforeAll, expect, test } from 'vitest'
import { deletePets, findSelectedPets, updatePets } from '../../../src/core/pets/bulk.ts'
import type { PetSelection } from '../../../src/core/pets/bulk-rules.ts'
import { type Pet, tagOfPet } from '../../../src/core/pets/columns.ts'
import { type App, startApp } from '../../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

/** Finds two available pets, and places an order for the second one afterwards. */
async function findThenOrder(selectionOf: (pets: Pet[]) => PetSelection) {
  const store = await app.makeProject()
  const projectId = store.project.id
  const make = { projectId, name: 'Max', categoryId: 7n, status: 'available' as const }
  const pets = await app.tools.db.pet.createManyAndReturn({ data: [make, make] })
  const found = await findSelectedPets(app.tools, store.project, selectionOf(pets))
  const placed = await store.post('/v1/store/orders', { petId: Number(pets[1]?.id) })
  expect([found.pets.length, placed.status]).toEqual([2, 201])
  const statuses = async () => {
    const left = await app.tools.db.pet.findMany({ where: { projectId }, orderBy: { id: 'asc' } })
    return left.map(({ status }) => status)
  }
  return { project: store.project, ids: pets.map(({ id }) => id), found, statuses }
}

const byFilter = (filters: Partial<NonNullable<PetSelection['filters']>>) => (): PetSelection => ({
  ...{ ids: [], tags: new Map() },
  filters: { status: null, categoryId: null, name: null, ...filters },
})

test('a bulk change by filter skips a pet that no longer matches because of a concurrent order', async () => {
  const deletion = await findThenOrder(byFilter({ status: 'available' }))
  const update = await findThenOrder(byFilter({ status: 'available' }))

  const deleted = await deletePets(app.tools, deletion.project, deletion.found)
  const updated = await updatePets(app.tools, update.project, update.found, { status: 'sold' })

  expect([deleted, updated].map(pets => pets.map(({ id }) => id))).toEqual([
    deletion.ids.slice(0, 1),
    update.ids.slice(0, 1),
  ])
  expect([await deletion.statuses(), await update.statuses()]).toEqual([['pending'], ['sold', 'pending']])
})

test('a bulk change by filter leaves out a pet that matches only after the price was found', async () => {
  const { project, ids, found } = await findThenOrder(byFilter({ status: 'available' }))
  await app.tools.db.pet.create({
    data: { projectId: project.id, name: 'New', categoryId: 7n, status: 'available' },
  })

  const updated = await updatePets(app.tools, project, found, { status: 'sold' })

  expect(updated.map(({ id }) => id)).toEqual(ids.slice(0, 1))
})

test('a bulk change by filter is refused if its pets change after each search', async () => {
  const { project, found, statuses } = await findThenOrder(byFilter({ status: 'available' }))
  const { pets, db } = app.tools
  let changes = 0
  const listPart: typeof pets.listPart = async (...query) => {
    const page = await pets.listPart(...query)
    await db.pet.updateMany({ where: { projectId: project.id }, data: { name: `Moritz ${++changes}` } })
    return page
  }

  const updated = updatePets({ ...app.tools, pets: { ...pets, listPart } }, project, found, {
    status: 'sold',
  })

  await expect(updated).rejects.toMatchObject({
    code: 'precondition_failed',
    message: 'Pets kept changing while the filter selected them; send the request again.',
  })
  expect(await statuses()).toEqual(['available', 'pending'])
})

test('a bulk change by filter is refused if a concurrent order took a pet that still matches', async () => {
  const { project, found, statuses } = await findThenOrder(byFilter({ categoryId: 7n }))

  const deleted = deletePets(app.tools, project, found)

  await expect(deleted).rejects.toMatchObject({ code: 'pet_in_order' })
  expect(await statuses()).toEqual(['available', 'pending'])
})

test('a bulk change with tags is refused if a pet was ordered after its tag was read', async () => {
  const { project, found, statuses } = await findThenOrder(pets => ({
    ids: pets.map(({ id }) => id),
    tags: new Map(pets.map(pet => [pet.id, tagOfPet(pet)])),
    filters: null,
  }))

  const deleted = deletePets(app.tools, project, found)

  await expect(deleted).rejects.toMatchObject({ code: 'precondition_failed' })
  expect(await statuses()).toEqual(['available', 'pending'])
})
