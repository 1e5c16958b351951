import { describe, expect, it } from 'vitest'
import { createDemo } from '../../src/core/demo.ts'
import { deliverOrder } from '../../src/core/move-order.ts'
import { openPets } from '../../src/core/pets.ts'
import { toProject } from '../../src/core/projects.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'

describe.skipIf(!canRace())('the demo', () => {
  const own = prepareOwnDatabase()

  it('has pets and orders that could have come to be in the store', async () => {
    await createDemo(own.db)
    const row = await own.db.project.findUniqueOrThrow({ where: { slug: 'demo' }, include: { plan: true } })
    const project = toProject(row)
    const pets = await own.db.pet.findMany({ orderBy: { id: 'asc' } })
    const orders = await own.db.order.findMany({ orderBy: { id: 'desc' } })

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
  })
})
