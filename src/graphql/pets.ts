import { addPet } from '../core/add-pet.ts'
import { makeCursor } from '../core/cursor.ts'
import { refuseAfterSunset } from '../core/deprecations.ts'
import { StoreError } from '../core/errors.ts'
import { judgeIdempotencyKey } from '../core/idempotency.ts'
import { parseInt64 } from '../core/int64.ts'
import { judgeNewPet, judgePageRequest } from '../core/pet-rules.ts'
import type { Pet as StorePet } from '../core/pets.ts'
import { type Context, storeCaller } from './context.ts'
import type {
  MutationCreatePetArgs,
  MutationResolvers,
  PetResolvers,
  QueryResolvers,
} from './generated/resolvers.ts'
import { withinInput } from './input.ts'

export const petQueries = {
  async pets(_parent, { first, after, status }, context) {
    const { project } = storeCaller(context, 'pets:read')
    const page = judgePageRequest(
      project,
      { limit: 'first', after: 'after' },
      { limit: first ?? 20, after: after ?? null, status: status ?? null },
    )
    const found = await context.tools.pets.list(project, page)
    const { pets } = found
    noteLastId(context, found.lastId)
    const cursorOf = (pet: StorePet | undefined) => (pet ? makeCursor(project, pet.id) : null)
    return {
      // Few ask for more than one cursor.
      get edges() {
        return pets.map(node => ({ node, cursor: makeCursor(project, node.id) }))
      },
      nodes: pets,
      pageInfo: {
        hasNextPage: found.nextCursor !== null,
        hasPreviousPage: page.after !== null,
        startCursor: cursorOf(pets[0]),
        endCursor: cursorOf(pets.at(-1)),
      },
    }
  },

  getPet(_parent, { petId }, context) {
    const { tools } = context
    const caller = storeCaller(context, 'pets:read')
    tools.usageCounter.countDeprecated(caller, 'getPet')
    refuseAfterSunset(tools.clock.now())
    const id = parseInt64(petId)
    if (id === null)
      throw new StoreError('pet_not_found', 'There is no such pet: ids are integers of 64 bits.')
    return tools.pets.find(caller.project, id)
  },
} satisfies QueryResolvers

/** An answer speaks of ids up to the highest among its pages, and has no end where one of them has none. */
function noteLastId({ outcome }: Context, lastId: bigint | null): void {
  if (outcome.lastId === undefined || lastId === null) outcome.lastId = lastId
  else if (outcome.lastId !== null && outcome.lastId < lastId) outcome.lastId = lastId
}

/** To GraphQL null is as good as absent, and an int64 comes as text. */
function givenIn(input: MutationCreatePetArgs['input']): Record<string, unknown> {
  const given = Object.entries(input).filter(([, value]) => value !== null)
  return { ...Object.fromEntries(given), categoryId: parseInt64(input.categoryId) }
}

export const petMutations = {
  async createPet(_parent, { input, idempotencyKey }, context) {
    const { project } = storeCaller(context, 'pets:write')
    const pet = await withinInput(() => judgeNewPet(givenIn(input)))
    const once =
      typeof idempotencyKey === 'string' ? judgeIdempotencyKey('idempotencyKey', idempotencyKey) : null
    return addPet(context.tools, project, pet, once)
  },
} satisfies MutationResolvers

export const Pet = {
  id: pet => String(pet.id),
  categoryId: pet => String(pet.categoryId),
} satisfies PetResolvers
