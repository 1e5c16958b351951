import { scopeFor } from '../../core/keys/caller.ts'
import { deletePets, updatePets } from '../../core/pets/bulk.ts'
import { type Pet, tagOfPet } from '../../core/pets/columns.ts'
import { findPaid, readBulk } from '../bulk.ts'
import { storeCaller } from '../context.ts'
import type { MutationResolvers } from '../generated/resolvers.ts'
import { withinInput } from '../input.ts'

const idsOf = (pets: readonly Pet[]) => pets.map(({ id }) => String(id))

export const bulkMutations = {
  async petsUpdate(_parent, { input }, context, info) {
    const { project } = storeCaller(context, scopeFor.updatePets)
    const { selection, change } = await readBulk(input)
    const found = await withinInput(() => findPaid(context, info, selection))
    const pets = await updatePets(context.tools, project, found, change)
    return { updated: pets.length, updatedIds: idsOf(pets), etags: pets.map(tagOfPet) }
  },

  async petsDelete(_parent, { input }, context, info) {
    const { project } = storeCaller(context, scopeFor.deletePets)
    const { selection } = await readBulk(input)
    const found = await withinInput(() => findPaid(context, info, selection))
    const pets = await deletePets(context.tools, project, found)
    return { deleted: pets.length, deletedIds: idsOf(pets) }
  },
} satisfies MutationResolvers
