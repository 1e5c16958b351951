import type { Limiter } from '../../limiter/limiter.ts'
import type { Clock } from '../../tools/clock.ts'
import type { Db } from '../db.ts'
import type { Project } from '../project.ts'
import { type AddedPet, createPetOnce } from './idempotency.ts'
import { invalidatePages } from './page-cache.ts'
import type { NewPet, Pets } from './pets.ts'

type Tools = { pets: Pets; db: Db; clock: Clock; limiter: Pick<Limiter, 'renewVersion'> }

/** Adds a pet, once for each idempotency key. When it returns, no process shows an older page. */
export async function createPet(
  { pets, db, clock, limiter }: Tools,
  project: Project,
  input: NewPet,
  idempotencyKey: string | null,
): Promise<AddedPet> {
  const added =
    idempotencyKey === null
      ? { pet: await pets.createPet(project, input), isReplayed: false }
      : await createPetOnce(db, clock, project, idempotencyKey, input)
  await invalidatePages(limiter, project)
  return added
}
