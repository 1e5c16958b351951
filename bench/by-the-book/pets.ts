import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import express, { type RequestHandler, Router } from 'express'
import { type PetStatus, Prisma, type PrismaClient } from '../../src/generated/prisma/client.ts'

const shown = { id: true, name: true, categoryId: true, status: true }

export function petsRouter(prisma: PrismaClient): RequestHandler {
  const router = Router()

  router.get('/', async (req, res) => {
    const { status, categoryId, name, after = '0', limit = '20', sort } = req.query as Record<string, string>
    const pets = await prisma.pet.findMany({
      where: {
        projectId: res.locals.project.id,
        status: status as PetStatus | undefined,
        categoryId: categoryId === undefined ? undefined : BigInt(categoryId),
        name: name === undefined ? undefined : { contains: name, mode: 'insensitive' },
        id: sort === '-id' ? { lt: BigInt(after) } : { gt: BigInt(after) },
      },
      orderBy: { id: sort === '-id' ? 'desc' : 'asc' },
      take: Number(limit),
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

  router.get('/export', async (_req, res) => {
    res.type('application/x-ndjson')
    // Ignore the error: the client disconnected before the end of the export.
    await pipeline(Readable.from(linesOf(res.locals.project.id)), res).catch(() => {})
  })

  router.post('/import', express.text({ type: 'application/x-ndjson', limit: '10mb' }), async (req, res) => {
    const projectId: number = res.locals.project.id
    const lines = String(req.body).split('\n').filter(Boolean)
    const data = lines.map(line => {
      const { name, categoryId, status } = JSON.parse(line)
      return { projectId, name, categoryId: BigInt(categoryId), status }
    })
    const { count } = await prisma.pet.createMany({ data })
    res.status(201).json({ imported: count })
  })

  async function* linesOf(projectId: number) {
    for (let after = 0n; ; ) {
      const pets = await prisma.pet.findMany({
        where: { projectId, id: { gt: after } },
        orderBy: { id: 'asc' },
        take: 1000,
        select: shown,
      })
      yield pets.map(toLine).join('')
      const last = pets.at(-1)
      if (!last || pets.length < 1000) return
      after = last.id
    }
  }

  router.get('/:petId', async (req, res) => {
    const pet = await prisma.pet.findFirst({
      where: { id: BigInt(req.params.petId), projectId: res.locals.project.id },
      select: shown,
    })
    if (pet) res.json(withoutNull(pet))
    else res.status(404).json({ code: 'pet_not_found', message: 'No such pet', status: 404 })
  })

  router.patch('/:petId', async (req, res) => {
    const { name, categoryId, status } = req.body
    try {
      const pet = await prisma.pet.update({
        where: { projectId_id: { projectId: res.locals.project.id, id: BigInt(req.params.petId) } },
        data: { name, categoryId: categoryId === undefined ? undefined : BigInt(categoryId), status },
        select: shown,
      })
      res.json(withoutNull(pet))
    } catch (error) {
      const isMissing = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2025'
      if (!isMissing) throw error
      res.status(404).json({ code: 'pet_not_found', message: 'No such pet', status: 404 })
    }
  })

  return router
}

const toLine = (pet: { id: bigint; categoryId: bigint; status: PetStatus | null }) =>
  `${JSON.stringify(withoutNull({ ...pet, id: Number(pet.id), categoryId: Number(pet.categoryId) }))}\n`

const withoutNull = <T extends { status: unknown }>({ status, ...rest }: T) =>
  status === null ? rest : { ...rest, status }
