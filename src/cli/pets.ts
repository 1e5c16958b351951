import { Command, Option } from 'commander'
import {
  AddPetDocument,
  ListPetsDocument,
  type PetLineFragment,
  type PetStatus,
} from './generated/operations.ts'
import { table } from './print.ts'
import { send } from './send.ts'
import type { Shop } from './shop.ts'
import { wholeNumber } from './whole-number.ts'

const statuses: PetStatus[] = ['available', 'pending', 'sold']

export function petsCommand(shop: Shop): Command {
  const pets = new Command('pets').description('list the pets of the store, and add to them')
  const status = (text: string) => new Option('--status <status>', text).choices(statuses)

  pets
    .command('list')
    .description('list pets by ascending id')
    .addOption(status('only pets with this status'))
    .option('--limit <count>', 'pets on the page, 1 to 100', wholeNumber, 20)
    .option('--after <cursor>', 'the cursor that the page before ended with')
    .action(async (options: { status?: PetStatus; limit: number; after?: string }, command: Command) => {
      const { status = null, limit, after = null } = options
      const page = (await send(shop.connect('owner'), ListPetsDocument, { first: limit, after, status })).pets
      const { hasNextPage, endCursor } = page.pageInfo
      const more = hasNextPage ? `\n\nThere are more: --after ${endCursor}` : ''
      shop.tell(command, page, showPets(page.nodes) + more)
    })

  pets
    .command('add <name>')
    .description('add a pet')
    .requiredOption('--category <id>', 'the category it belongs to')
    .addOption(status('whether it can be had'))
    .option('--idempotency-key <key>', 'repeating the command under the same key adds it only once')
    .action(
      async (
        name: string,
        options: { category: string; status?: PetStatus; idempotencyKey?: string },
        command: Command,
      ) => {
        const { category, status = null, idempotencyKey = null } = options
        const variables = { input: { name, categoryId: category, status }, idempotencyKey }
        const { createPet } = await send(shop.connect('owner'), AddPetDocument, variables)
        shop.tell(command, createPet, showPets([createPet]))
      },
    )

  return pets.addHelpText(
    'after',
    `
Examples:
  animal-store pets list --status available --limit 100
  animal-store pets add "Biscuit" --category 1 --status available`,
  )
}

function showPets(pets: PetLineFragment[]): string {
  return table(
    ['ID', 'NAME', 'CATEGORY', 'STATUS'],
    pets.map(pet => [pet.id, pet.name, pet.categoryId, pet.status]),
  )
}
