import { Command, Option } from 'commander'
import type { Pet, PetStatus } from '../../clients/typescript/src/index.ts'
import { table } from './print.ts'
import { type Shop, toJson, wantsJson } from './shop.ts'
import { inCommandWords, openStore } from './store.ts'
import { exactNumber, wholeNumber } from './whole-number.ts'

const statuses: PetStatus[] = ['available', 'pending', 'sold']

type ListOptions = { status?: PetStatus; limit: number; after?: string; all?: boolean }
type AddOptions = { category: bigint; status?: PetStatus; idempotencyKey?: string }

export function petsCommand(shop: Shop): Command {
  const pets = new Command('pets').description('list the pets of the store, and add to them')
  const status = (text: string) => new Option('--status <status>', text).choices(statuses)

  pets
    .command('list')
    .description('list pets by ascending id')
    .addOption(status('only pets with this status'))
    .option('--limit <count>', 'pets on the page, 1 to 100', wholeNumber, 20)
    .option('--after <cursor>', 'the cursor that the page before ended with')
    .option('--all', 'every page; with --json one pet a line')
    .action(async ({ status, limit, after, all }: ListOptions, command: Command) => {
      const store = openStore(shop.connect('owner'))
      if (all) return listAll(store.pets.list({ status }), wantsJson(command))
      const pages = store.pets.list({ status, limit, cursor: after }).pages()[Symbol.asyncIterator]()
      const { items, nextCursor } = (await inCommandWords(pages.next())).value
      const more = nextCursor ? `\n\nThere are more: --all, or --after ${nextCursor}` : ''
      shop.tell(command, { items, nextCursor }, showPets(items) + more)
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

  return pets.addHelpText(
    'after',
    `
Examples:
  animal-store pets list --status available --limit 100
  animal-store pets list --all --json | wc -l
  animal-store pets add "Biscuit" --category 1 --status available`,
  )
}

/** Page by page, so that a million need no memory, and whoever stops reading ends the asking. */
async function listAll(
  list: ReturnType<ReturnType<typeof openStore>['pets']['list']>,
  asJson: boolean,
): Promise<void> {
  const pages = list.pages()[Symbol.asyncIterator]()
  for (let first = true; ; first = false) {
    const { value, done } = await inCommandWords(pages.next())
    if (done) return
    const text = asJson ? value.items.map(pet => toJson(pet, 0)).join('\n') : showPets(value.items, first)
    if (text !== '' && !process.stdout.write(`${text}\n`)) {
      await new Promise(resolve => process.stdout.once('drain', resolve))
    }
  }
}

function showPets(pets: Pet[], withHeading = true): string {
  const text = table(
    ['ID', 'NAME', 'CATEGORY', 'STATUS'],
    pets.map(pet => [pet.id, pet.name, pet.categoryId, pet.status]),
  )
  return withHeading ? text : text.slice(text.indexOf('\n') + 1)
}
