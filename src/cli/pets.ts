import { Command, Option } from 'commander'
import type { Inventory, Pet, PetQuery, PetStatus } from '../../clients/typescript/src/index.ts'
import type { CommandContext } from './command-context.ts'
import { confirm, yesOption } from './confirm.ts'
import { exitCodes, Refused } from './exit.ts'
import { exportCommand } from './export-pets.ts'
import { ShowPetDocument } from './generated/operations.ts'
import { importCommand } from './import-pets.ts'
import { addSelection, nameOf, selectionOf } from './pet-selection.ts'
import { table } from './print.ts'
import { openRestClient, withCommandErrors } from './rest-client.ts'
import { send } from './send.ts'
import { addListOptions, type ListOptions, showList } from './show-list.ts'
import { exactNumber } from './whole-number.ts'

const statuses: PetStatus[] = ['available', 'pending', 'sold']

type Order = NonNullable<PetQuery['sort']>

const orders: Order[] = ['id', '-id']

type Filters = { category?: bigint; status?: PetStatus; name?: string }
type ChangeOptions = {
  where?: Parameters<typeof selectionOf>[1]
  name?: string
  category?: bigint
  status?: PetStatus
}
type AddOptions = { category: bigint; status?: PetStatus; idempotencyKey?: string }

export function petsCommand(shop: CommandContext): Command {
  const pets = new Command('pets').description('list the pets of the store, add, change and remove them')
  const status = (text: string) => new Option('--status <status>', text).choices(statuses)

  const filter = (command: Command) =>
    command
      .addOption(status('only pets with this status'))
      .option('--category <id>', 'only pets of this category', exactNumber)
      .option(
        '--name <part>',
        'only pets with this text in their name; one or two characters must be its beginning',
      )

  filter(addListOptions(pets.command('list'), 'pets', 'pet'))
    .description('list pets by ascending id')
    .addOption(new Option('--sort <order>', '-id lists the newest first').choices(orders).default('id'))
    .action(async (options: ListOptions & Filters & { sort: Order }, command: Command) => {
      const { status, category: categoryId, name, sort, ...paging } = options
      const store = openRestClient(shop.connect('owner'))
      const query = { status, categoryId, name, sort }
      await showList(
        shop,
        command,
        paging,
        (page, call) => store.pets.list({ ...query, ...page }, call),
        showPets,
      )
    })

  pets
    .command('inventory')
    .description('show how many pets there are, by status')
    .action(async (_options: object, command: Command) => {
      const inventory = await withCommandErrors(openRestClient(shop.connect('owner')).getInventory())
      shop.print(command, inventory, showInventory(inventory))
    })

  pets
    .command('show')
    .argument('<pet>', 'its id', exactNumber)
    .description('show one pet')
    .action(async (id: bigint, _options: object, command: Command) => {
      const { node } = await send(shop.connect('owner'), ShowPetDocument, { id: String(id) })
      if (node?.kind !== 'Pet')
        throw new Refused(`There is no pet ${id}.`, exitCodes.notFound, 'pet_not_found')
      const { name, categoryId, status } = node
      const pet: Pet = { id, name, categoryId: BigInt(categoryId), ...(status && { status }) }
      shop.print(command, pet, showPets([pet]))
    })

  pets.addCommand(filter(exportCommand(shop)))
  pets.addCommand(importCommand(shop))

  pets
    .command('add <name>')
    .description('add a pet')
    .requiredOption('--category <id>', 'the number of its category', exactNumber)
    .addOption(status('its status'))
    .option('--idempotency-key <key>', 'repeating the command under the same key adds it only once')
    .action(async (name: string, { category, status, idempotencyKey }: AddOptions, command: Command) => {
      const pet = { name, categoryId: category, status }
      const store = openRestClient(shop.connect('owner'))
      const added = await withCommandErrors(store.pets.create(pet, { idempotencyKey }))
      shop.print(command, added, showPets([added]))
    })

  addSelection(pets.command('update'))
    .description('change the given fields of a pet, or of several: all of them or none')
    .option('--name <name>', 'the new name')
    .option('--category <id>', 'the number of the new category', exactNumber)
    .addOption(status('the new status'))
    .action(async (ids: bigint[], options: ChangeOptions, command: Command) => {
      const { where, name, category, status } = options
      const store = openRestClient(shop.connect('owner'))
      if (name === undefined && category === undefined && status === undefined)
        throw new Refused('Give at least one of --name, --category and --status.', exitCodes.wrongInput)
      const change = { name, categoryId: category, status }
      const selection = selectionOf(ids, where)
      const [id] = selection.ids ?? []
      if (id !== undefined && selection.ids?.length === 1) {
        const updated = await withCommandErrors(store.pets.update(BigInt(id), change), command)
        return shop.print(command, updated, showPets([updated]))
      }
      const updated = await withCommandErrors(store.pets.updateMany({ ...selection, change }), command)
      shop.print(command, { updated: updated.length, ids: updated }, `${countOf(updated)} changed.`)
    })

  addSelection(pets.command('remove').alias('delete'))
    .description('delete a pet for good, or several: all of them or none')
    .addOption(yesOption())
    .action(async (ids: bigint[], { where }: ChangeOptions, command: Command) => {
      const selection = selectionOf(ids, where)
      const store = openRestClient(shop.connect('owner'))
      const [id] = selection.ids ?? []
      if (id !== undefined && selection.ids?.length === 1) {
        await confirm(command, `Pet ${id} is deleted for good.`)
        await withCommandErrors(store.pets.delete(BigInt(id)))
        return shop.print(command, { id }, `Pet ${id} is gone.`)
      }
      await confirm(command, `${nameOf(selection)} will be deleted for good.`)
      const deleted = await withCommandErrors(store.pets.deleteMany(selection))
      shop.print(command, { deleted: deleted.length, ids: deleted }, `${countOf(deleted)} deleted.`)
    })

  return pets.addHelpText(
    'after',
    `
Examples:
  animal-store pets list --status available --limit 100
  animal-store pets list --all --json | wc -l
  animal-store pets list --name bisc --sort -id
  animal-store pets show 12
  animal-store pets inventory
  animal-store pets export pets.csv
  animal-store pets export --status sold | wc -l
  animal-store pets import pets.csv
  animal-store pets add "Biscuit" --category 1 --status available
  animal-store pets update 12 --status sold
  animal-store pets update 12 13 14 --category 2
  animal-store pets remove 12 --yes
  animal-store pets remove --where status=sold --where name=test`,
  )
}

const countOf = ({ length }: unknown[]) => `${length} ${length === 1 ? 'pet' : 'pets'}`

function showPets(pets: Pet[]): string {
  return table(
    ['ID', 'NAME', 'CATEGORY', 'STATUS'],
    pets.map(pet => [pet.id, pet.name, pet.categoryId, pet.status]),
  )
}

function showInventory(inventory: Inventory): string {
  return table(['STATUS', 'PETS'], Object.entries(inventory))
}
