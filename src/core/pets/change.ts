import type { Limiter } from '../../limiter/limiter.ts'
import { type Condition, isConditional, requireFulfilled, unconditional } from '../conditions.ts'
import { invalidInput } from '../errors.ts'
import type { Project } from '../project.ts'
import { tagOfPet } from './columns.ts'
import { thenInvalidatePages } from './invalidate-pages.ts'
import { type Pet, type PetChange, type Pets, petAltered } from './pets.ts'

type Tools = { pets: Pets; limiter: Pick<Limiter, 'renewVersion'> }

/**
 * Changes the given fields of a pet. As soon as the returned promise resolves, no process shows a page of pets from
 * before the change.
 */
export function updatePet(
  { pets, limiter }: Tools,
  project: Project,
  id: bigint,
  change: PetChange,
  condition: Condition = unconditional,
): Promise<Pet> {
  return thenInvalidatePages(limiter, project, async () =>
    pets.update(project, id, change, await findKnown(pets, project, id, condition)),
  )
}

/** Deletes a pet permanently. As soon as the returned promise resolves, no process shows the pet. */
export function deletePet(
  { pets, limiter }: Tools,
  project: Project,
  id: bigint,
  condition: Condition = unconditional,
): Promise<void> {
  return thenInvalidatePages(limiter, project, async () =>
    pets.delete(project, id, await findKnown(pets, project, id, condition)),
  )
}

/** Returns the version that the condition requires; null allows any. */
async function findKnown(
  pets: Pets,
  project: Project,
  id: bigint,
  condition: Condition,
): Promise<number | null> {
  if (!isConditional(condition)) return null
  const pet = await pets.find(project, id)
  requireFulfilled(condition, tagOfPet(pet), `Pet ${id}`, () => petAltered(id))
  return pet.version
}

/**
 * Parses the tag of a GraphQL input. Also accepts a quoted tag, as copied from a header, and a weak tag, as sent by a
 * proxy that compresses.
 */
export function parseIfMatch(field: string, value: string | null): Condition {
  if (value === null) return unconditional
  if (value.trim() === '*') return { match: '*', noneMatch: null }
  const tags = value.split(',').map(tag => tag.trim().replace(/^(?:W\/)?"(.*)"$/, '$1'))
  if (value.length <= 1000 && tags.every(tag => /^[!#-~]+$/.test(tag)))
    return { match: tags, noneMatch: null }
  throw invalidInput([{ field, message: 'must be an ETag, a list of them, or *' }])
}
