import { makeCursor, readCursor } from './cursor.ts'
import type { Db } from './db.ts'
import { type Fault, invalidInput, StoreError } from './errors.ts'
import { isInt64 } from './int64.ts'
import type { Project } from './projects.ts'
import { judgeText } from './text.ts'

export const petStatuses = ['available', 'pending', 'sold'] as const
export type PetStatus = (typeof petStatuses)[number]

export type Pet = { id: bigint; name: string; categoryId: bigint; status: PetStatus | null }
export type NewPet = Omit<Pet, 'id'>

export type PetPage = { pets: Pet[]; nextCursor: string | null }
export type PageRequest = { limit: number; status: PetStatus | null; after: bigint | null }

/** A page of the project's pets by ascending id; new pets get higher ids, so pages stay right while they come. */
export async function listPets(db: Db, project: Project, page: PageRequest): Promise<PetPage> {
  const rows = await db.pet.findMany({
    select: { id: true, name: true, categoryId: true, status: true },
    where: {
      projectId: project.id,
      ...(page.status && { status: page.status }),
      ...(page.after !== null && { id: { gt: page.after } }),
    },
    orderBy: { id: 'asc' },
    // One more than asked for tells whether there is a further page.
    take: page.limit + 1,
  })
  const pets = rows.slice(0, page.limit)
  const last = pets.at(-1)
  return { pets, nextCursor: rows.length > page.limit && last ? makeCursor(project, last.id) : null }
}

export async function findPet(db: Db, project: Project, id: bigint): Promise<Pet> {
  const pet = await db.pet.findFirst({ where: { id, projectId: project.id } })
  if (!pet) throw new StoreError('pet_not_found', `There is no pet ${id}.`)
  return pet
}

export function createPet(db: Db, project: Project, input: NewPet): Promise<Pet> {
  return db.pet.create({
    data: { projectId: project.id, ...input },
    select: { id: true, name: true, categoryId: true, status: true },
  })
}

/** What a page is asked with, from any door: `names` says what that door calls the number and the cursor. */
export function judgePageRequest(
  project: Project,
  names: { limit: string; after: string },
  input: { limit: number | null; status: string | null; after: string | null },
): PageRequest {
  const { limit, status, after } = input
  const faults: Fault[] = []
  if (limit === null || !Number.isInteger(limit) || limit < 1 || limit > 100) {
    faults.push({ field: names.limit, message: 'must be a whole number from 1 to 100' })
  }
  if (status !== null && !isPetStatus(status)) faults.push({ field: 'status', message: statusRule })
  if (faults.length > 0) throw invalidInput(faults)
  return {
    limit: limit ?? 0,
    status: status as PetStatus | null,
    after: after === null ? null : readCursor(names.after, project, after),
  }
}

/** Judges every field, so that one answer names all that is wrong. */
export function judgeNewPet(input: Record<string, unknown>): NewPet {
  const { text, fault } = judgeText('name', input.name, 255)
  const { categoryId, status = null } = input
  const faults = fault ? [fault] : []
  if (!isInt64(categoryId))
    faults.push({ field: 'categoryId', message: 'must be an integer from -2^63 to 2^63 - 1' })
  if ('status' in input && input.status !== undefined && !isPetStatus(input.status))
    faults.push({ field: 'status', message: statusRule })
  if (faults.length > 0) throw invalidInput(faults)
  return { name: text, categoryId: categoryId as bigint, status: status as PetStatus | null }
}

const statusRule = `must be one of ${petStatuses.join(', ')}`

function isPetStatus(value: unknown): value is PetStatus {
  return petStatuses.some(status => status === value)
}
