import { makeCursor } from '../core/cursor.ts'
import { refuseAfterSunset } from '../core/deprecations.ts'
import { invalidInput, StoreError } from '../core/errors.ts'
import { createPetOnce, judgeIdempotencyKey } from '../core/idempotency.ts'
import { parseInt64 } from '../core/int64.ts'
import { createPet, findPet, judgeNewPet, judgePageRequest, listPets, type NewPet } from '../core/pets.ts'
import { storeCaller } from './context.ts'
import type {
  MutationResolvers,
  NewPet as NewPetInput,
  PetResolvers,
  QueryResolvers,
} from './generated/resolvers.ts'

export const petQueries = {
  async pets(_parent, { first, after, status }, context) {
    const { project } = storeCaller(context, 'pets:read')
    const page = judgePageRequest(
      project,
      { limit: 'first', after: 'after' },
      { limit: first ?? 20, after: after ?? null, status: status ?? null },
    )
    const { pets, nextCursor } = await listPets(context.tools.db, project, page)
    const edges = pets.map(node => ({ node, cursor: makeCursor(project, node.id) }))
    return {
      edges,
      nodes: pets,
      pageInfo: {
        hasNextPage: nextCursor !== null,
        hasPreviousPage: page.after !== null,
        startCursor: edges[0]?.cursor ?? null,
        endCursor: edges.at(-1)?.cursor ?? null,
      },
    }
  },

  getPet(_parent, { petId }, context) {
    const { tools } = context
    const caller = storeCaller(context, 'pets:read')
    tools.tally.countDeprecated(caller, 'getPet')
    refuseAfterSunset(tools.clock.now())
    const id = parseInt64(petId)
    if (id === null)
      throw new StoreError('pet_not_found', 'There is no such pet: ids are integers of 64 bits.')
    return findPet(tools.db, caller.project, id)
  },
} satisfies QueryResolvers

export const petMutations = {
  createPet(_parent, { input, idempotencyKey }, context) {
    const { db, clock } = context.tools
    const { project } = storeCaller(context, 'pets:write')
    const pet = judgeInput(input)
    if (typeof idempotencyKey !== 'string') return createPet(db, project, pet)
    return createPetOnce(db, clock, project, judgeIdempotencyKey('idempotencyKey', idempotencyKey), pet)
  },
} satisfies MutationResolvers

export const Pet = {
  id: pet => String(pet.id),
  categoryId: pet => String(pet.categoryId),
} satisfies PetResolvers

function judgeInput({ name, categoryId, status }: NewPetInput): NewPet {
  try {
    return judgeNewPet({ name, categoryId: parseInt64(categoryId), ...(status && { status }) })
  } catch (error) {
    // The core names fields as REST's body has them; here they stand in `input`.
    if (!(error instanceof StoreError)) throw error
    throw invalidInput(error.details.map(({ field, message }) => ({ field: `input.${field}`, message })))
  }
}
