import { batch } from '../database/batch.ts'
import type { Columns, Statements } from '../database/statements.ts'
import { makeCursor } from './cursor.ts'
import { StoreError } from './errors.ts'
import { parseExactJson } from './exact-json.ts'
import { leastInt64 } from './int64.ts'
import type { Project } from './projects.ts'

export const petStatuses = ['available', 'pending', 'sold'] as const
export type PetStatus = (typeof petStatuses)[number]

export type Pet = { id: bigint; name: string; categoryId: bigint; status: PetStatus | null }
export type NewPet = Omit<Pet, 'id'>

/**
 * `json` is the list of pets as the wire has it: PostgreSQL writes it at a third of what reading its rows would cost.
 * `reach` is the last one's id where the page is full, and no new pet with a higher one belongs into it.
 */
export type PetPage = { json: string; nextCursor: string | null; reach: bigint | null }
export type PageRequest = { limit: number; status: PetStatus | null; after: bigint | null }

/** The pets of all projects. What is asked at the same time shares a statement. */
export type Pets = {
  /** A page of the project's pets by ascending id; new pets get higher ids, so pages stay right while they come. */
  list(project: Project, page: PageRequest): Promise<PetPage>
  find(project: Project, id: bigint): Promise<Pet>
  create(project: Project, input: NewPet): Promise<Pet>
}

export function openPets(database: Statements): Pets {
  const page = batch((asked: readonly AskedPage[]) => database.run({ ...pages, values: valuesOf(asked) }))
  // The index by status serves only a statement that always asks for one.
  const pageOfStatus = batch((asked: readonly AskedPage[]) =>
    database.run({ ...pagesByStatus, values: valuesOf(asked) }),
  )
  const one = batch((asked: readonly AskedPet[]) => readPets(database, asked))
  const made = batch((asked: readonly AskedPet<NewPet>[]) => makePets(database, asked))

  return {
    async list(project, asked) {
      const read = asked.status === null ? page : pageOfStatus
      const [json, last, beyond] = await read({ project, page: asked })
      const reach = last ? BigInt(last) : null
      const nextCursor = reach !== null && beyond ? makeCursor(project, reach) : null
      return { json: `[${json ?? ''}]`, nextCursor, reach: beyond ? reach : null }
    },
    async find(project, id) {
      const pet = await one({ project, pet: id })
      if (!pet) throw new StoreError('pet_not_found', `There is no pet ${id}.`)
      return pet
    },
    async create(project, input) {
      return { ...input, id: await made({ project, pet: input }) }
    },
  }
}

type AskedPage = { project: Project; page: PageRequest }
type AskedPet<What = bigint> = { project: Project; pet: What }

// The pets' JSON, the last one's id where the page is full, and the id of the one after it: one more than asked for tells
// whether there is a further page. A pet looks as src/rest/pet-json.ts writes a single one; a test compares their bytes.
const pagesOf = (condition: string) => `
  SELECT array_to_string((found.pets)[1:asked.most], ','), (found.ids)[asked.most], (found.ids)[asked.most + 1]
  FROM unnest($1::int[], $2::bigint[], $3::int[], $4::text[])
    WITH ORDINALITY AS asked (project_id, after, most, status, n)
  CROSS JOIN LATERAL (
    SELECT array_agg(json) AS pets, array_agg(id) AS ids FROM (
      SELECT id, '{"id":' || id || ',"name":' || to_json(name) || ',"categoryId":' || category_id ||
        coalesce(',"status":"' || status || '"', '') || '}' AS json
      FROM "pets" WHERE project_id = asked.project_id AND id > asked.after ${condition}
      ORDER BY id LIMIT asked.most + 1
    ) AS page
  ) AS found
  ORDER BY asked.n`

const pages = { name: 'list_pets', text: pagesOf(''), reads: true }
const pagesByStatus = {
  name: 'list_pets_by_status',
  text: pagesOf('AND status = asked.status::"PetStatus"'),
  reads: true,
}

const valuesOf = (asked: readonly AskedPage[]) => [
  asked.map(({ project }) => project.id),
  asked.map(({ page }) => page.after ?? leastInt64),
  asked.map(({ page }) => page.limit),
  asked.map(({ page }) => page.status),
]

async function readPets(database: Statements, asked: readonly AskedPet[]): Promise<(Pet | null)[]> {
  const rows = await database.run({
    name: 'find_pets',
    text: `
      SELECT asked.n, found.*
      FROM unnest($1::int[], $2::bigint[]) WITH ORDINALITY AS asked (project_id, id, n)
      CROSS JOIN LATERAL (
        SELECT id, name, category_id, status FROM "pets"
        WHERE project_id = asked.project_id AND id = asked.id LIMIT 1
      ) AS found`,
    values: [asked.map(({ project }) => project.id), asked.map(({ pet }) => pet)],
    reads: true,
  })
  const found = new Map(rows.map(([n, ...columns]) => [Number(n), toPet(columns)]))
  return asked.map((_, index) => found.get(index + 1) ?? null)
}

/**
 * Every value was judged before, so that no pet can keep those beside it from being made. They will be announced in
 * Redis, so the trigger on the table need not count them as a change.
 */
async function makePets(database: Statements, asked: readonly AskedPet<NewPet>[]): Promise<bigint[]> {
  const rows = await database.run({
    name: 'create_pets',
    text: `
      WITH asked AS MATERIALIZED (
        SELECT nextval('pets_id_seq') AS id,
          set_config('animal_store.announced', 'yes', true), each.*
        FROM unnest($1::int[], $2::text[], $3::bigint[], $4::text[])
          WITH ORDINALITY AS each (project_id, name, category_id, status, n)
      ), made AS (
        INSERT INTO "pets" (id, project_id, name, category_id, status)
        SELECT id, project_id, name, category_id, status::"PetStatus" FROM asked
      )
      SELECT id FROM asked ORDER BY n`,
    values: [
      asked.map(({ project }) => project.id),
      asked.map(({ pet }) => pet.name),
      asked.map(({ pet }) => pet.categoryId),
      asked.map(({ pet }) => pet.status),
    ],
  })
  return rows.map(([id]) => BigInt(id ?? 0))
}

/** A page's pets for whoever needs them one by one. */
export function petsOf({ json }: PetPage): Pet[] {
  const read = parseExactJson(json) as (Omit<Pet, 'status'> & { status?: PetStatus })[]
  return read.map(({ id, name, categoryId, status = null }) => ({ id, name, categoryId, status }))
}

function toPet([id, name, categoryId, status]: Columns): Pet {
  return {
    id: BigInt(id ?? 0),
    name: name ?? '',
    categoryId: BigInt(categoryId ?? 0),
    status: status as PetStatus | null,
  }
}
