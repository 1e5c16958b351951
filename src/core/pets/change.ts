import type { Limiter } from '../../limiter/limiter.ts'
import { invalidInput } from '../errors.ts'
import type { Project } from '../project.ts'
import { tagOfPet } from './columns.ts'
import { outdatePages } from './page-cache.ts'
import { type Pet, type PetChange, type Pets, petAltered } from './pets.ts'

type Tools = { pets: Pets; limiter: Pick<Limiter, 'renewVersion'> }
/** The pet must have one of these tags; null accepts any. */
export type Condition = readonly string[] | null

/** Changes the given fields of a pet. When it returns, no process shows a page from before. */
export async function updatePet(
  { pets, limiter }: Tools,
  project: Project,
  id: bigint,
  change: PetChange,
  condition: Condition,
): Promise<Pet> {
  const pet = await pets.update(project, id, change, await findKnown(pets, project, id, condition))
  await outdatePages(limiter, project)
  return pet
}

/** Deletes a pet for good. When it returns, no process shows the pet. */
export async function deletePet(
  { pets, limiter }: Tools,
  project: Project,
  id: bigint,
  condition: Condition,
): Promise<void> {
  await pets.delete(project, id, await findKnown(pets, project, id, condition))
  await outdatePages(limiter, project)
}

/** Reads the pet and checks its tag. */
async function findKnown(
  pets: Pets,
  project: Project,
  id: bigint,
  condition: Condition,
): Promise<Pet | null> {
  if (condition === null) return null
  const pet = await pets.find(project, id)
  if (!condition.includes(tagOfPet(pet))) throw petAltered(id)
  return pet
}

/**
 * Parses a condition as HTTP writes it (RFC 9110, 13.1.1): a list of tags or a star. A bare tag is accepted too. So is
 * a weak one: a proxy that compresses an answer makes its tag weak, and the tag still names the same pet.
 */
export function judgeCondition(field: string, value: string | null): Condition {
  if (value === null || value.trim() === '*') return null
  const tags = value.split(',').map(tag => tag.trim().replace(/^(?:W\/)?"(.*)"$/, '$1'))
  if (value.length <= 1000 && tags.every(tag => /^[!#-~]+$/.test(tag))) return tags
  throw invalidInput([{ field, message: 'must be an ETag, a list of them, or *' }])
}
