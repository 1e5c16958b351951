import type { Columns, Statements } from '../tools/statements.ts'
import { makeCursor, readCursor } from './cursor.ts'
import type { Db } from './db.ts'
import { type Fault, invalidInput, StoreError } from './errors.ts'
import { isInt64, leastInt64 } from './int64.ts'
import type { Project } from './projects.ts'
import { judgeText } from './text.ts'

const petStatuses = ['available', 'pending', 'sold'] as const
export type PetStatus = (typeof petStatuses)[number]

export type Pet = { id: bigint; name: string; categoryId: bigint; status: PetStatus | null }
export type NewPet = Omit<Pet, 'id'>

export type PetPage = { pets: Pet[]; nextCursor: string | null }
export type PageRequest = { limit: number; status: PetStatus | null; after: bigint | null }

/** A page of the project's pets by ascending id; new pets get higher ids, so pages stay right while they come. */
export async function listPets(database: Statements, project: Project, page: PageRequest): Promise<PetPage> {
  const { limit, status, after } = page
  // One more than asked for tells whether there is a further page.
  const values = [project.id, after ?? leastInt64, limit + 1]
  const rows = await database.run(
    status === null
      ? { name: 'list_pets', text: `${pageOf} ORDER BY id LIMIT $3`, values }
      : {
          name: 'list_pets_by_status',
          text: `${pageOf} AND status = $4::"PetStatus" ORDER BY id LIMIT $3`,
          values: [...values, status],
        },
  )
  const pets = rows.slice(0, limit).map(toPet)
  const last = pets.at(-1)
  return { pets, nextCursor: rows.length > limit && last ? makeCursor(project, last.id) : null }
}

const pageOf = 'SELECT id, name, category_id, status FROM "pets" WHERE project_id = $1 AND id > $2'

export async function findPet(db: Db, project: Project, id: bigint): Promise<Pet> {
  const pet = await db.pet.findFirst({ where: { id, projectId: project.id } })
  if (!pet) throw new StoreError('pet_not_found', `There is no pet ${id}.`)
  return pet
}

export async function createPet(database: Statements, project: Project, input: NewPet): Promise<Pet> {
  const [row = []] = await database.run({
    name: 'create_pet',
    text: `INSERT INTO pets (project_id, name, category_id, status)
           VALUES ($1, $2, $3, $4::"PetStatus") RETURNING id`,
    values: [project.id, input.name, input.categoryId, input.status],
  })
  return { ...input, id: BigInt(row[0] ?? 0) }
}

function toPet([id, name, categoryId, status]: Columns): Pet {
  return {
    id: BigInt(id ?? 0),
    name: name ?? '',
    categoryId: BigInt(categoryId ?? 0),
    status: status as PetStatus | null,
  }
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
