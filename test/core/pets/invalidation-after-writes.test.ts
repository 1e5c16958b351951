import { describe, expect, it } from 'vitest'
import { openLongWork } from '../../../src/core/long-work.ts'
import { approveOrder, cancelOrder, deliverOrder } from '../../../src/core/orders/move.ts'
import { placeOrder } from '../../../src/core/orders/place.ts'
import { openPlacements } from '../../../src/core/orders/placement-batch.ts'
import { removeCategory, setCategory } from '../../../src/core/pets/categories.ts'
import { deletePet, updatePet } from '../../../src/core/pets/change.ts'
import { createPet } from '../../../src/core/pets/create.ts'
import { openImport } from '../../../src/core/pets/import.ts'
import { openImportDraft } from '../../../src/core/pets/import-draft.ts'
import { openPets } from '../../../src/core/pets/pets.ts'
import type { Project } from '../../../src/core/project.ts'
import { openPlaces } from '../../../src/limiter/places.ts'
import { systemClock } from '../../../src/tools/clock.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

describe.skipIf(!canRace())('invalidation after writes', () => {
  const own = prepareOwnDatabase()
  const rex = { name: 'Rex', categoryId: 1n, status: null }

  /**
   * Makes a store that records each invalidation of cached pages in `outdated`: the project's id, and the pets, orders
   * and categories at the time of the invalidation.
   */
  async function openStore() {
    const outdated: [subject: string, seen: unknown][] = []
    const { db, database } = own
    const project = (await own.makeProject()) as unknown as Project
    const look = async () => {
      const of = { where: { projectId: project.id }, orderBy: { id: 'asc' } } as const
      return [await db.pet.findMany(of), await db.order.findMany(of), await db.category.findMany(of)]
    }
    const limiter = {
      async renewVersion(subject: string) {
        outdated.push([subject, await look()])
        return true
      },
    }
    const tools = {
      ...{ db, database, limiter, clock: systemClock, pets: openPets(database) },
      placements: openPlacements(database, systemClock),
      longWork: openLongWork(openPlaces(null)),
    }
    const { id: petId } = await tools.pets.createPet(project, rex)
    const order = { petId, reference: null, note: null }
    return { tools, project, petId, order, outdated, look, importPets: openImport(tools) }
  }
  type Store = Awaited<ReturnType<typeof openStore>>
  const placed = async ({ tools, project, order }: Store) =>
    (await placeOrder(tools, project, order, null)).order.id

  function readPets() {
    const draft = openImportDraft()
    draft.add(1, { name: 'Max', categoryId: '1' })
    return draft.finish()
  }

  /**
   * Each entry prepares a store and returns a function that changes data. A repeated call of the function must
   * invalidate the cached pages too, because another process may have carried out the first call without having
   * invalidated the pages yet.
   */
  const repeatable: [string, (store: Store) => Promise<() => Promise<unknown>>][] = [
    [
      'a pet is added',
      async ({ tools, project }) =>
        () =>
          createPet(tools, project, rex, 'k'),
    ],
    [
      'pets are imported',
      async ({ importPets, project }) =>
        () =>
          importPets(project, readPets(), 'k', false),
    ],
    [
      'a pet is changed',
      async ({ tools, project, petId }) =>
        () =>
          updatePet(tools, project, petId, { name: 'Max' }),
    ],
    [
      'an order is placed',
      async ({ tools, project, order }) =>
        () =>
          placeOrder(tools, project, order, 'k'),
    ],
    [
      'an order is approved',
      async store => {
        const id = await placed(store)
        return () => approveOrder(store.tools, store.project, id)
      },
    ],
    [
      'an order is delivered',
      async store => {
        const id = await placed(store)
        await approveOrder(store.tools, store.project, id)
        return () => deliverOrder(store.tools, store.project, id)
      },
    ],
    [
      'an order is cancelled',
      async store => {
        const id = await placed(store)
        return () => cancelOrder(store.tools, store.project, id)
      },
    ],
    [
      'a category is named',
      async ({ tools, project }) =>
        () =>
          setCategory(tools, project, 1n, 'Dogs'),
    ],
  ]

  it.each(repeatable)(
    'if %s, cached pages are invalidated after the commit and before the answer, and once more for a repeated request',
    async (_, prepare) => {
      const store = await openStore()
      const act = await prepare(store)
      const before = await store.look()
      store.outdated.length = 0

      for (const times of [1, 2]) {
        await act()
        expect(store.outdated).toHaveLength(times)
      }

      const after = await store.look()
      expect(after).not.toEqual(before)
      // At the time of each invalidation, the change was already committed.
      expect(store.outdated).toEqual(Array(2).fill([`${store.project.id}`, after]))
    },
  )

  it('deleting a pet or removing the name of a category invalidates cached pages after the commit and before the answer', async () => {
    const { tools, project, petId, outdated, look } = await openStore()
    await setCategory(tools, project, 1n, 'Dogs')
    outdated.length = 0

    await deletePet(tools, project, petId)
    expect(outdated).toHaveLength(1)
    const between = await look()
    await removeCategory(tools, project, 1n)
    expect(outdated).toHaveLength(2)

    expect(between).toMatchObject([[], [], [{ name: 'Dogs' }]])
    expect(outdated).toEqual([
      [`${project.id}`, between],
      [`${project.id}`, [[], [], []]],
    ])
  })
})
