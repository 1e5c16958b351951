import { type RequestHandler, Router } from 'express'
import type { PetStatus, PrismaClient } from '../../src/generated/prisma/client.ts'

const shown = { id: true, name: true, categoryId: true, status: true }

export function petsRouter(prisma: PrismaClient): RequestHandler {
  const router = Router()

  router.get('/', async (req, res) => {
    const pets = await prisma.pet.findMany({
      where: {
        projectId: res.locals.project.id,
        status: req.query.status as PetStatus | undefined,
        id: { gt: BigInt(String(req.query.after ?? '0')) },
      },
      orderBy: { id: 'asc' },
      take: Number(req.query.limit ?? 20),
      select: shown,
    })
    res.json(pets.map(withoutNull))
  })

  router.post('/', async (req, res) => {
    const { name, categoryId, status } = req.body
    const pet = await prisma.pet.create({
      data: { projectId: res.locals.project.id, name, categoryId: BigInt(categoryId), status },
      select: shown,
    })
    res.status(201).json(withoutNull(pet))
  })

  router.get('/:petId', async (req, res) => {
    const pet = await prisma.pet.findFirst({
      where: { id: BigInt(req.params.petId), projectId: res.locals.project.id },
      select: shown,
    })
    if (pet) res.json(withoutNull(pet))
    else res.status(404).json({ code: 'pet_not_found', message: 'No such pet', status: 404 })
  })

  return router
}

const withoutNull = <T extends { status: unknown }>({ status, ...rest }: T) =>
  status === null ? rest : { ...rest, status }
