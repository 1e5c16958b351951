import { makeCursor } from '../../core/cursor.ts'
import { givenIn } from '../../core/given.ts'
import { scopeFor } from '../../core/keys/caller.ts'
import { deletePet, parseIfMatch, updatePet } from '../../core/pets/change.ts'
import { type NewPet, type Pet, petStatuses, tagOfPet } from '../../core/pets/columns.ts'
import { createPet } from '../../core/pets/create.ts'
import { readInventory } from '../../core/pets/inventory.ts'
import { listOf } from '../../core/pets/pets.ts'
import {
  parseNewPet,
  parsePageRequest,
  parsePetChange,
  readPetId,
  requireChange,
} from '../../core/pets/rules.ts'
import { pageOf, requiredText, textOf } from '../arguments.ts'
import { fitPage, plain } from '../fit.ts'
import { chooseKey } from '../once.ts'
import { idArgument, idempotencyArgument, pageArguments, type Tool } from '../tool.ts'

const name = { type: 'string', maxLength: 255 } as const
const status = { type: 'string' as const, enum: [...petStatuses] }
const etag = {
  type: 'string',
  description: 'etag of the pet as you read it; the call is refused if the pet has changed since',
} as const

/** An argument for each field of a pet. The compiler also requires one for each new field. */
type FieldArguments = Record<keyof NewPet, Tool['input'][string]>
const newPet: FieldArguments = {
  name,
  categoryId: idArgument('Any number; the category may be unnamed'),
  status,
}
const petChange: FieldArguments = { name, categoryId: idArgument(), status: { ...status, isNullable: true } }

export const petTools: Tool[] = [
  {
    name: 'list_pets',
    title: 'List pets',
    description: 'Lists pets by id, a page at a time. Also finds pets by a part of the name.',
    scope: scopeFor.listPets,
    budget: 'store',
    effect: 'reads',
    input: {
      ...{ name: { ...name, maxLength: 100, description: 'A part of the name' }, status },
      ...{ categoryId: idArgument(), newestFirst: { type: 'boolean' } },
      ...pageArguments,
    },
    async run({ tools, caller: { project }, args }) {
      const page = parsePageRequest(
        project,
        { limit: 'limit', after: 'cursor' },
        {
          ...pageOf(args),
          ...{ name: textOf(args, 'name'), status: textOf(args, 'status') },
          categoryId: textOf(args, 'categoryId'),
          newestFirst: args.newestFirst === true,
        },
      )
      const { pets, nextCursor } = await tools.pets.list(project, page)
      const { items, ...rest } = fitPage(pets, nextCursor, withoutTag, ({ id }) =>
        makeCursor(project, id, listOf(page)),
      )
      return { pets: items, ...rest }
    },
  },
  {
    name: 'get_pet',
    title: 'Get a pet',
    description: 'Returns one pet, with its etag.',
    scope: scopeFor.getPet,
    budget: 'store',
    effect: 'reads',
    input: { petId: idArgument() },
    required: ['petId'],
    async run({ tools, caller: { project }, args }) {
      return { pet: show(await tools.pets.find(project, readPetId(requiredText(args, 'petId')))) }
    },
  },
  {
    name: 'add_pet',
    title: 'Add a pet',
    description: 'Adds a pet to the store.',
    scope: scopeFor.createPet,
    budget: 'store',
    effect: 'adds',
    input: { ...newPet, ...idempotencyArgument },
    required: ['name', 'categoryId'],
    async run({ tools, caller: { project }, args: { idempotencyKey, ...input }, onceKey }) {
      const { pet, isReplayed } = await createPet(
        tools,
        project,
        parseNewPet(givenIn(input)),
        chooseKey(idempotencyKey, onceKey),
      )
      return { pet: show(pet), ...(isReplayed && { replayed: true }) }
    },
  },
  {
    name: 'update_pet',
    title: 'Change a pet',
    description: 'Changes the given fields of a pet. Null removes the status.',
    scope: scopeFor.updatePet,
    budget: 'store',
    effect: 'changes',
    input: { petId: idArgument(), ...petChange, etag },
    required: ['petId'],
    async run({ tools, caller: { project }, args: { petId, etag, ...fields } }) {
      const change = requireChange('arguments', parsePetChange(givenIn(fields, 'status')))
      const condition = parseIfMatch('etag', textOf({ etag }, 'etag'))
      const id = readPetId(requiredText({ petId }, 'petId'))
      return { pet: show(await updatePet(tools, project, id, change, condition)) }
    },
  },
  {
    name: 'delete_pet',
    title: 'Delete a pet',
    description: 'Deletes a pet permanently.',
    scope: scopeFor.deletePet,
    budget: 'store',
    effect: 'destroys',
    input: { petId: idArgument(), etag },
    required: ['petId'],
    async run({ tools, caller: { project }, args }) {
      const condition = parseIfMatch('etag', textOf(args, 'etag'))
      const id = readPetId(requiredText(args, 'petId'))
      await deletePet(tools, project, id, condition)
      return { deletedId: String(id) }
    },
  },
  {
    name: 'get_inventory',
    title: 'Count pets',
    description: 'Counts all pets by status.',
    scope: scopeFor.getInventory,
    budget: 'store',
    effect: 'reads',
    input: {},
    run: async ({ tools, caller: { project } }) => ({
      inventory: await readInventory(tools.database, project),
    }),
  },
]

function withoutTag({ version, ...pet }: Pet) {
  return plain(pet)
}

const show = (pet: Pet) => ({ ...withoutTag(pet), etag: tagOfPet(pet) })
