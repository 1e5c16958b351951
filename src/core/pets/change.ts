import type { Limiter } from '../../limiter/limiter.ts'
import { invalidInput } from '../errors.ts'
import type { Project } from '../project.ts'
import { tagOfPet } from './columns.ts'
import { outdatePages } from './page-cache.ts'
import { type Pet, type PetChange, type Pets, petAltered } from './pets.ts'

type Tools = { pets: Pets; limiter: Pick<Limiter, 'renewVersion'> }
/** The tags of which the pet must bear one; null where any will do. */
export type Condition = readonly string[] | null

/** Changes what is given of a pet; when it answers, no process shows a page from before it any more. */
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

/** Deletes a pet for good; when it answers, no process shows it any more. */
export async function deletePet(
  { pets, limiter }: Tools,
  project: Project,
  id: bigint,
  condition: Condition,
): Promise<void> {
  await pets.delete(project, id, await findKnown(pets, project, id, condition))
  await outdatePages(limiter, project)
}

/** The pet as it has to be when it is changed. */
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
 * A condition as HTTP writes it (RFC 9110, 13.1.1): a list of tags, or a star for any; a tag may also come bare. One that a
 * proxy has made weak, as it does when it packs an answer, still names the same pet.
 */
export function judgeCondition(field: string, value: string | null): Condition {
  if (value === null || value.trim() === '*') return null
  const tags = value.split(',').map(tag => tag.trim().replace(/^(?:W\/)?"(.*)"$/, '$1'))
  if (value.length <= 1000 && tags.every(tag => /^[!#-~]+$/.test(tag))) return tags
  throw invalidInput([{ field, message: 'must be an ETag, a list of them, or *' }])
}
