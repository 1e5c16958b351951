import { type RequestHandler, Router } from 'express'
import type { PrismaClient } from '../../src/generated/prisma/client.ts'

export function storeRouter(prisma: PrismaClient): RequestHandler {
  const router = Router()

  router.get('/inventory', async (_req, res) => {
    const groups = await prisma.pet.groupBy({
      by: ['status'],
      where: { projectId: res.locals.project.id },
      _count: true,
    })
    const inventory: Record<string, number> = { available: 0, pending: 0, sold: 0, unset: 0, total: 0 }
    for (const { status, _count } of groups) {
      inventory[status ?? 'unset'] = _count
      inventory.total = (inventory.total ?? 0) + _count
    }
    res.json(inventory)
  })

  // The update's condition refuses a second order for a pet, as in Prisma's guide to transactions.
  router.post('/orders', async (req, res) => {
    const projectId: number = res.locals.project.id
    const { petId, reference, note } = req.body
    const order = await prisma.$transaction(async tx => {
      const pet = await tx.pet.findFirst({ where: { projectId, id: BigInt(petId) } })
      if (!pet) return null
      const { count } = await tx.pet.updateMany({
        where: { projectId, id: pet.id, OR: [{ status: 'available' }, { status: null }] },
        data: { status: 'pending' },
      })
      if (count === 0) return null
      return tx.order.create({
        data: {
          projectId,
          petId: pet.id,
          petName: pet.name,
          categoryId: pet.categoryId,
          formerStatus: pet.status,
          reference,
          note,
        },
      })
    })
    if (!order) {
      res.status(409).json({ code: 'pet_not_available', message: 'This pet cannot be ordered', status: 409 })
      return
    }
    const { id, categoryId, petName, status, placedAt } = order
    res.status(201).json({ id, petId: order.petId, categoryId, petName, status, placedAt })
  })

  return router
}
