import { beforeEach, describe, expect, it } from 'vitest'
import { listOrders } from '../../../src/core/orders/list.ts'
import { approveOrder, cancelOrder, deliverOrder } from '../../../src/core/orders/move.ts'
import { findOrder, listOrdersOfPets } from '../../../src/core/orders/orders.ts'
import { openPlacements, type Placements } from '../../../src/core/orders/placement-batch.ts'
import { removeCategory, setCategory } from '../../../src/core/pets/categories.ts'
import { listCategories } from '../../../src/core/pets/category-list.ts'
import { openPets, type Pets } from '../../../src/core/pets/pets.ts'
import type { Project } from '../../../src/core/project.ts'
import { systemClock } from '../../../src/tools/clock.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

/** Pets, orders and categories of two projects have equal ids if somebody has copied a store with psql. */
describe.skipIf(!canRace())('projects whose pets and orders have equal ids', () => {
  const own = prepareOwnDatabase()
  let zoo: Project
  let farm: Project
  let pets: Pets
  let placements: Placements
  const tools = () => ({ db: own.db, limiter: { renewVersion: async () => true } })
  const all = { limit: 10, after: null }

  /**
   * Adds two free pets without an order, one pet with the placed order 1001, and one pet with the approved order 1002.
   */
  async function fill({ id: projectId, slug }: Project): Promise<void> {
    const pet = (id: bigint) => ({ projectId, id, name: `${slug} ${id}`, categoryId: id })
    await own.db.pet.createMany({
      data: [
        pet(1n),
        { ...pet(2n), status: 'available' },
        { ...pet(3n), status: 'pending', openOrderId: 1001n },
        { ...pet(4n), status: 'pending', openOrderId: 1002n },
      ],
    })
    const order = (id: bigint, petId: bigint) => ({
      ...{
        projectId,
        id,
        petId,
        petName: `${slug} ${petId}`,
        categoryId: petId,
        reference: `of ${slug} ${id}`,
      },
    })
    await own.db.order.createMany({
      data: [order(1001n, 3n), { ...order(1002n, 4n), status: 'approved', formerStatus: 'available' }],
    })
    await own.db.category.createMany({
      data: [1n, 2n].map(id => ({ projectId, id, name: `${slug} kind ${id}` })),
    })
  }
  const rowsOf = async ({ id: projectId }: Project) => {
    const of = { where: { projectId }, orderBy: { id: 'asc' } } as const
    const { db } = own
    return [await db.pet.findMany(of), await db.order.findMany(of), await db.category.findMany(of)]
  }
  const want = (project: Project, petId: bigint) => ({
    ...{ project, key: 'k', input: { petId, reference: 'web-1', note: project.slug } },
  })

  beforeEach(async () => {
    ;[zoo, farm] = [await own.makeProject(), await own.makeProject()] as unknown as [Project, Project]
    await fill(zoo)
    await fill(farm)
    pets = openPets(own.database)
    placements = openPlacements(own.database, systemClock)
  })

  const acts: [string, () => Promise<unknown>, object | undefined][] = [
    ['a pet changes', () => pets.update(zoo, 1n, { name: 'Max' }, null), { id: 1n, name: 'Max' }],
    ['a pet is deleted', () => pets.delete(zoo, 1n, null), undefined],
    ['a pet is ordered', () => placements.alone(want(zoo, 2n)), { order: { petId: 2n } }],
    ['an order is approved', () => approveOrder(tools(), zoo, 1001n), { id: 1001n, status: 'approved' }],
    ['an order is delivered', () => deliverOrder(tools(), zoo, 1002n), { id: 1002n, status: 'delivered' }],
    ['an order is cancelled', () => cancelOrder(tools(), zoo, 1002n), { id: 1002n, status: 'cancelled' }],
    ['a category is renamed', () => setCategory(tools(), zoo, 1n, 'Dogs'), { category: { name: 'Dogs' } }],
    ['a category loses its name', () => removeCategory(tools(), zoo, 1n), undefined],
  ]
  it.each(acts)(
    'if %s in one project, another project with equal pet and order ids stays unchanged',
    async (_, act, expected) => {
      const before = await Promise.all([zoo, farm].map(rowsOf))

      const answer = await act()

      if (expected === undefined) expect(answer).toBeUndefined()
      else expect(answer).toMatchObject(expected)
      expect(await rowsOf(farm)).toEqual(before[1])
      expect(await rowsOf(zoo)).not.toEqual(before[0])
    },
  )

  it('two projects with equal pet and order ids each read their own data at the same time', async () => {
    const both = <T>(ask: (project: Project) => Promise<T>) => Promise.all([zoo, farm].map(ask))
    const newest = { ...all, status: null, categoryId: null, name: null, newestFirst: true }

    const found = await both(project => pets.find(project, 2n))
    const pages = await both(project => pets.list(project, newest))
    const orders = await both(project => findOrder(own.db, project, 1001n))
    const lists = await both(project =>
      listOrders(own.db, project, all, {
        status: null,
        petId: 3n,
        reference: null,
        search: null,
        placedFrom: null,
        placedBefore: null,
      }),
    )
    const ofPets = await both(project => listOrdersOfPets(own.db, project, [{ petId: 4n, page: all }]))
    const categories = await both(project => listCategories(own.db, project, all, null))

    const names = [zoo, farm].map(({ slug }) => slug)
    expect(found.map(({ name }) => name)).toEqual(names.map(name => `${name} 2`))
    expect(pages.map(page => page.pets.map(({ name }) => name))).toEqual(
      names.map(name => [4, 3, 2, 1].map(id => `${name} ${id}`)),
    )
    expect(orders.map(({ reference }) => reference)).toEqual(names.map(name => `of ${name} 1001`))
    expect(lists.map(({ items }) => items.map(({ petName }) => petName))).toEqual(
      names.map(name => [`${name} 3`]),
    )
    expect(ofPets.map(([page]) => page?.items.map(({ petName }) => petName))).toEqual(
      names.map(name => [`${name} 4`]),
    )
    expect(categories.map(({ items }) => items.map(({ name }) => name))).toEqual(
      names.map(name => [`${name} kind 1`, `${name} kind 2`]),
    )
  })

  it('two projects with equal pet and order ids each change only their own data at the same time', async () => {
    const both = <T>(act: (project: Project) => Promise<T>) => Promise.all([zoo, farm].map(act))

    const changed = await both(project => pets.update(project, 1n, { name: `New ${project.slug}` }, null))
    const placed = await both(project => placements.together(want(project, 2n)))
    await both(project => pets.delete(project, 1n, null))

    expect(changed.map(({ name }) => name)).toEqual([zoo, farm].map(({ slug }) => `New ${slug}`))
    expect(placed).toMatchObject(
      [zoo, farm].map(({ slug }) => ({ order: { petId: 2n, petName: `${slug} 2`, note: slug } })),
    )
    const rows = await own.db.order.findMany({
      where: { note: { not: null } },
      orderBy: { projectId: 'asc' },
    })
    expect(rows.slice(-2)).toMatchObject(
      [zoo, farm].map(({ id, slug }) => ({ projectId: id, petName: `${slug} 2`, formerStatus: 'available' })),
    )
    expect(await own.db.pet.count({ where: { projectId: { in: [zoo.id, farm.id] } } })).toBe(6)
  })
})
