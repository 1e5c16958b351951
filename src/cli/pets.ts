import { Command, Option } from 'commander'
import type { Pet, PetStatus } from '../../clients/typescript/src/index.ts'
import { confirm, yesOption } from './confirm.ts'
import { addListOptions, type ListOptions, showList } from './lists.ts'
import { table } from './print.ts'
import type { Shop } from './shop.ts'
import { inCommandWords, openStore } from './store.ts'
import { exactNumber } from './whole-number.ts'

const statuses: PetStatus[] = ['available', 'pending', 'sold']

type ChangeOptions = { name?: string; category?: bigint; status?: PetStatus }
type AddOptions = { category: bigint; status?: PetStatus; idempotencyKey?: string }

export function petsCommand(shop: Shop): Command {
  const pets = new Command('pets').description('list the pets of the store, add, change and remove them')
  const status = (text: string) => new Option('--status <status>', text).choices(statuses)

  addListOptions(pets.command('list'), 'pets', 'pet')
    .description('list pets by ascending id')
    .addOption(status('only pets with this status'))
    .action(async ({ status, ...options }: ListOptions & { status?: PetStatus }, command: Command) => {
      const store = openStore(shop.connect('owner'))
      await showList(shop, command, options, asked => store.pets.list({ status, ...asked }), showPets)
    })

  pets
    .command('add <name>')
    .description('add a pet')
    .requiredOption('--category <id>', 'the category it belongs to', exactNumber)
    .addOption(status('whether it can be had'))
    .option('--idempotency-key <key>', 'repeating the command under the same key adds it only once')
    .action(async (name: string, { category, status, idempotencyKey }: AddOptions, command: Command) => {
      const pet = { name, categoryId: category, status }
      const store = openStore(shop.connect('owner'))
      const added = await inCommandWords(store.pets.create(pet, { idempotencyKey }))
      shop.tell(command, added, showPets([added]))
    })

  pets
    .command('update')
    .argument('<pet>', 'its id', exactNumber)
    .description('change what is given of a pet')
    .option('--name <name>', 'its new name')
    .option('--category <id>', 'the category it belongs to from now on', exactNumber)
    .addOption(status('whether it can be had from now on'))
    .action(async (id: bigint, { name, category, status }: ChangeOptions, command: Command) => {
      const store = openStore(shop.connect('owner'))
      const change = { name, categoryId: category, status }
      const updated = await inCommandWords(store.pets.update(id, change))
      shop.tell(command, updated, showPets([updated]))
    })

  pets
    .command('remove')
    .argument('<pet>', 'its id', exactNumber)
    .description('delete a pet for good')
    .addOption(yesOption())
    .action(async (id: bigint, _options: object, command: Command) => {
      await confirm(command, `Pet ${id} is deleted for good.`)
      await inCommandWords(openStore(shop.connect('owner')).pets.delete(id))
      shop.tell(command, { id }, `Pet ${id} is gone.`)
    })

  return pets.addHelpText(
    'after',
    `
Examples:
  animal-store pets list --status available --limit 100
  animal-store pets list --all --json | wc -l
  animal-store pets add "Biscuit" --category 1 --status available
  animal-store pets update 12 --status sold
  animal-store pets remove 12 --yes`,
  )
}

function showPets(pets: Pet[]): string {
  return table(
    ['ID', 'NAME', 'CATEGORY', 'STATUS'],
    pets.map(pet => [pet.id, pet.name, pet.categoryId, pet.status]),
  )
}
