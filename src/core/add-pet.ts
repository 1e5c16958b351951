import type { Clock } from '../tools/clock.ts'
import type { Limiter } from '../tools/limiter.ts'
import type { Statements } from '../tools/statements.ts'
import type { Db } from './db.ts'
import { createPetOnce } from './idempotency.ts'
import { createPet, type NewPet, type Pet } from './pets.ts'
import type { Project } from './projects.ts'

type Tools = { database: Statements; db: Db; clock: Clock; limiter: Pick<Limiter, 'renewPetsVersion'> }

/** Adds a pet, once for each idempotency key; when it answers, no process shows a page from before it any more. */
export async function addPet(
  { database, db, clock, limiter }: Tools,
  project: Project,
  input: NewPet,
  idempotencyKey: string | null,
): Promise<Pet> {
  const pet =
    idempotencyKey === null
      ? await createPet(database, project, input)
      : await createPetOnce(db, clock, project, idempotencyKey, input)
  await limiter.renewPetsVersion(String(project.id))
  return pet
}
