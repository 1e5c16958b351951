import { scopeFor } from '../../core/keys/caller.ts'
import { deletePets, updatePets } from '../../core/pets/bulk.ts'
import { findPaid, readBulk } from '../bulk.ts'
import { storeCaller } from '../context.ts'
import type { MutationResolvers } from '../generated/resolvers.ts'

export const bulkMutations = {
  async petsUpdate(_parent, { input }, context, info) {
    const { project } = storeCaller(context, scopeFor.updatePets)
    const { selection, change } = await readBulk(input)
    const found = await findPaid(context, info, selection)
    const ids = await updatePets(context.tools, project, found, change)
    return { updated: ids.length, updatedIds: ids.map(String) }
  },

  async petsDelete(_parent, { input }, context, info) {
    const { project } = storeCaller(context, scopeFor.deletePets)
    const { selection } = await readBulk(input)
    const found = await findPaid(context, info, selection)
    const ids = await deletePets(context.tools, project, found)
    return { deleted: ids.length, deletedIds: ids.map(String) }
  },
} satisfies MutationResolvers
