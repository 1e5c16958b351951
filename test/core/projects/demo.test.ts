import { describe, expect, it } from 'vitest'
import { scopes } from '../../../src/core/keys/scopes.ts'
import { deliverOrder } from '../../../src/core/orders/move.ts'
import { petStatuses } from '../../../src/core/pets/columns.ts'
import { openPets } from '../../../src/core/pets/pets.ts'
import { toProject } from '../../../src/core/project.ts'
import { createDemo, issueDemoKey } from '../../../src/core/projects/demo.ts'
import { systemClock } from '../../../src/tools/clock.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

describe.skipIf(!canRace())('the demo', () => {
  const own = prepareOwnDatabase()

  it("the demo project's pets and orders are in states that the store itself could have produced", async () => {
    await createDemo(own.db)
    const row = await own.db.project.findUniqueOrThrow({ where: { slug: 'demo' }, include: { plan: true } })
    const project = toProject(row)
    const pets = await own.db.pet.findMany({ orderBy: { id: 'asc' } })
    const orders = await own.db.order.findMany({ orderBy: { id: 'desc' } })

    // This plan includes all features, also custom domains.
    expect(row).toMatchObject({ name: 'Demo store', planName: 'pro' })
    const categories = await own.db.category.findMany({ where: { projectId: row.id } })
    expect(categories).toHaveLength(6)
    expect(new Set(pets.map(({ categoryId }) => categoryId))).toEqual(new Set(categories.map(({ id }) => id)))
    expect(new Set(pets.map(({ status }) => status))).toEqual(new Set([...petStatuses, null]))
    expect(new Set(orders.map(({ reference }) => reference)).size).toBe(orders.length)
    for (const order of orders) {
      const { id: petId, name: petName, categoryId } = pets.find(({ id }) => id === order.petId) ?? {}
      expect(order).toMatchObject({ petId, petName, categoryId, formerStatus: 'available' })
      expect(order.reference).toMatch(/^web-1\d{3}$/)
      const times = { approved: order.approvedAt, delivered: order.deliveredAt, cancelled: order.cancelledAt }
      const steps = Object.entries(times).flatMap(([name, time]) => (time ? [name] : []))
      const had = {
        placed: [],
        approved: ['approved'],
        delivered: ['approved', 'delivered'],
        cancelled: ['cancelled'],
      }
      expect([order.status, steps]).toEqual([order.status, had[order.status]])
    }

    for (const { id, status, openOrderId } of pets) {
      const last = orders.find(({ petId }) => petId === id)
      if (status === 'pending') expect(['placed', 'approved']).toContain(last?.status)
      else expect(last?.status ?? null).toBe(status === 'sold' ? 'delivered' : last ? 'cancelled' : null)
      expect(openOrderId).toBe(status === 'pending' ? last?.id : null)
    }

    const approved = orders.find(({ status }) => status === 'approved')
    if (!approved) throw new Error('No order is approved.')
    const store = openPets(own.database)
    await expect(store.delete(project, approved.petId, null)).rejects.toMatchObject({ code: 'pet_in_order' })
    await deliverOrder({ db: own.db, limiter: { renewVersion: async () => true } }, project, approved.id)
    expect(await store.find(project, approved.petId)).toMatchObject({ status: 'sold' })

    expect(await issueDemoKey(own.db, systemClock)).toMatchObject({
      apiKey: { name: 'Owner', scopes, projectId: project.id, expiresAt: null },
    })
  })

  it('a missing demo project gets no key', async () => {
    await own.db.project.updateMany({ where: { slug: 'demo' }, data: { slug: 'no-demo' } })

    expect(await issueDemoKey(own.db, systemClock)).toBeNull()
  })
})
