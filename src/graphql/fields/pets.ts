import { makeCursor, readCursor } from '../../core/cursor.ts'
import { givenIn } from '../../core/given.ts'
import { scopeFor } from '../../core/keys/caller.ts'
import { deletePet, parseIfMatch, updatePet } from '../../core/pets/change.ts'
import { tagOfPet } from '../../core/pets/columns.ts'
import { createPet } from '../../core/pets/create.ts'
import type { PetFilters } from '../../core/pets/export.ts'
import { admitGetPet } from '../../core/pets/get.ts'
import { countByStatus, readInventory } from '../../core/pets/inventory.ts'
import { listOf, type Pet as StorePet } from '../../core/pets/pets.ts'
import {
  parseNewPet,
  parsePageRequest,
  parsePetChange,
  readPetId,
  requireChange,
} from '../../core/pets/rules.ts'
import type { Project } from '../../core/project.ts'
import { addHeader } from '../../http/headers.ts'
import { type Connection, connectionOf, neighboursOf, readPage } from '../connection.ts'
import { type Context, storeCaller } from '../context.ts'
import type {
  MutationResolvers,
  PetConnectionResolvers,
  PetResolvers,
  QueryPetsArgs,
  QueryResolvers,
} from '../generated/resolvers.ts'
import { onlyIdempotencyKey } from '../idempotency-key.ts'
import { withinInput } from '../input.ts'
import { admitReader, loadersOf, noteOwner } from '../store-readers.ts'
import { inStoreOf, petOrders } from './orders.ts'

export const petQueries = {
  pets: (_parent, args, context) =>
    pageOfPets(context, storeCaller(context, scopeFor.listPets).project, args),

  getPet(_parent, { petId }, context) {
    const { tools } = context
    const caller = storeCaller(context)
    return tools.pets.find(caller.project, admitGetPet(tools, caller, petId))
  },

  inventory(_parent, _args, context) {
    const { project } = storeCaller(context, scopeFor.getInventory)
    return readInventory(context.tools.database, project)
  },
} satisfies QueryResolvers

/** Returns a page of a project's pets, for `Query.pets` and `Project.pets`. */
export async function pageOfPets(
  context: Context,
  project: Project,
  { status, categoryId, name, sort, ...args }: Partial<QueryPetsArgs>,
): Promise<PetPage> {
  admitReader(context, project, scopeFor.listPets, 'pets')
  const pageArgs = readPage(args, 20)
  const page = parsePageRequest(project, pageArgs.names, {
    ...pageArgs,
    status: status ?? null,
    categoryId: categoryId ?? null,
    name: name ?? null,
    newestFirst: sort === 'newest_first',
  })
  const list = listOf(page)
  // Read a backward page as a page of the opposite order.
  const ordered = pageArgs.isBackward ? { ...page, newestFirst: !page.newestFirst } : page
  const found = await context.tools.pets.list(project, ordered)
  noteLastId(context, found.lastId)
  noteOwner(context, project, found.pets)
  const cursorOf = (pet: StorePet) => makeCursor(project, pet.id, list)
  const { nextCursor } = found
  // A page filtered by name may have examined pets beyond its last one, so the next page continues from the last pet
  // examined.
  const end =
    nextCursor && makeCursor(project, readCursor('after', project, nextCursor, listOf(ordered)), list)
  const connection = connectionOf(
    pageArgs.isBackward ? found.pets.toReversed() : found.pets,
    neighboursOf(pageArgs, nextCursor !== null),
    cursorOf,
    pageArgs.isBackward ? { startCursor: end } : { endCursor: end },
  )
  return Object.assign(connection, { counted: { project, filters: page } })
}

/** Returns one of a project's pets, for `Project.pet`. */
export async function petOf(context: Context, project: Project, id: string): Promise<StorePet> {
  admitReader(context, project, scopeFor.getPet, `pet ${id}`)
  const pet = await context.tools.pets.find(project, readPetId(id))
  noteOwner(context, project, [pet])
  return pet
}

/** `counted` has the list's filters, so that `totalCount` can count the whole list. */
export type PetPage = Connection<StorePet> & { counted: { project: Project; filters: PetFilters } }

export const PetConnection = {
  totalCount({ counted: { project, filters } }, _args, { tools, operation }) {
    // Any pet of the project can change the count, so any new pet invalidates the answer.
    operation.lastId = null
    return countByStatus(tools.database, project, filters)
  },
} satisfies PetConnectionResolvers

/** Records the highest `lastId` of all pages of the answer; null if one of the pages has none. */
function noteLastId({ operation }: Context, lastId: bigint | null): void {
  if (operation.lastId === undefined || lastId === null) operation.lastId = lastId
  else if (operation.lastId !== null && operation.lastId < lastId) operation.lastId = lastId
}

export const petMutations = {
  async petCreate(_parent, { input: { idempotencyKey, ...input } }, context) {
    const { project } = storeCaller(context, scopeFor.createPet)
    const pet = await withinInput(() => parseNewPet(givenIn(input)))
    const once = onlyIdempotencyKey(context.operation.idempotencyKey, idempotencyKey)
    const added = await createPet(context.tools, project, pet, once)
    if (added.isReplayed && context.operation.idempotencyKey)
      addHeader(context.response, 'Idempotent-Replayed', 'true')
    return { pet: added.pet }
  },

  async petUpdate(_parent, { input: { id, ifMatch, ...input } }, context) {
    const { project } = storeCaller(context, scopeFor.updatePet)
    const change = requireChange('input', await withinInput(() => parsePetChange(givenIn(input, 'status'))))
    const condition = parseIfMatch('input.ifMatch', ifMatch ?? null)
    return { pet: await updatePet(context.tools, project, readPetId(id), change, condition) }
  },

  async petDelete(_parent, { input }, context) {
    const { project } = storeCaller(context, scopeFor.deletePet)
    const condition = parseIfMatch('input.ifMatch', input.ifMatch ?? null)
    const id = readPetId(input.id)
    await deletePet(context.tools, project, id, condition)
    return { deletedId: String(id) }
  },
} satisfies MutationResolvers

export const Pet = {
  id: pet => String(pet.id),
  categoryId: pet => String(pet.categoryId),
  async category(pet, _args, context) {
    const category = await loadersOf(context, pet).category.load(pet.categoryId)
    return category && inStoreOf(context, pet, category)
  },
  etag: pet => tagOfPet(pet),
  ...petOrders,
} satisfies PetResolvers
