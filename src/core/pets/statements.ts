import type { Statements } from '../../database/statements.ts'
import type { Project } from '../project.ts'
import { type NewPet, newPetFields, type Pet, petColumns, readFields, readPet, textOf } from './columns.ts'

// Each statement about pets answers all requests that came at the same time, without Prisma. The figures are the CPU
// time of Prisma as a multiple of the CPU time of the statement (node and PostgreSQL together), for 1, 8 and 32
// requests at once:
//   create_pets: createManyAndReturn 3.3, 3.4, 3.9
//   find_pets: findMany 1.7, 3.7, 4.9; findUnique, which batches by itself, 2.0, 6.3, 12
//   list_pets (pages.ts): findMany 1.3, 3.5, 5.0; by status 1.6, 3.1, 5.2
//   update_pets (changes.ts): updateManyAndReturn 1.2, 4.3, 7.2
//   delete_pets: deleteMany 1.1, 4.7, 11
// updateManyAndReturn and deleteMany do not return why a pet was not changed, so they would need a second statement.

export type RequestedPet<What = bigint> = { project: Project; pet: What }

const columns = readFields.map(field => petColumns[field].column).join(', ')
const newColumns = newPetFields.map(field => petColumns[field].column).join(', ')

export async function readPets(
  database: Statements,
  requested: readonly RequestedPet[],
): Promise<(Pet | null)[]> {
  const rows = await database.run({
    name: 'find_pets',
    text: `
      SELECT requested.n, found.*
      FROM unnest($1::int[], $2::bigint[]) WITH ORDINALITY AS requested (project_id, id, n)
      CROSS JOIN LATERAL (
        SELECT ${columns} FROM "pets" WHERE project_id = requested.project_id AND id = requested.id LIMIT 1
      ) AS found`,
    values: [requested.map(({ project }) => project.id), requested.map(({ pet }) => pet)],
  })
  const found = new Map(rows.map(([n, ...texts]) => [Number(n), readPet(texts)]))
  return requested.map((_, index) => found.get(index + 1) ?? null)
}

// Values are sent as text, because sending an array of an enumeration would need the type's name.
const requested = newPetFields.map((_, index) => `$${index + 2}::text[]`).join(', ')
const cast = newPetFields.map(field => `${petColumns[field].column}::${petColumns[field].type}`).join(', ')
const create = `
  WITH requested AS MATERIALIZED (
    SELECT nextval('pets_id_seq') AS id, each.*
    FROM unnest($1::int[], ${requested}) WITH ORDINALITY AS each (project_id, ${newColumns}, n)
  ), made AS (
    INSERT INTO "pets" (id, project_id, ${newColumns}) SELECT id, project_id, ${cast} FROM requested
    RETURNING ${columns}
  )
  SELECT made.* FROM made JOIN requested USING (id) ORDER BY requested.n`

/**
 * Creates pets and returns them in the same order. Every value was validated before, so no pet can make the statement
 * fail for the others.
 */
export async function createPets(
  database: Statements,
  requested: readonly RequestedPet<NewPet>[],
): Promise<Pet[]> {
  const rows = await database.run({
    name: 'create_pets',
    text: create,
    values: [
      requested.map(({ project }) => project.id),
      ...newPetFields.map(field => requested.map(({ pet }) => textOf(pet[field]))),
    ],
  })
  return rows.map(readPet)
}
