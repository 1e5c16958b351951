import { Command } from 'commander'
import type { Category } from '../../clients/typescript/src/index.ts'
import type { CommandContext } from './command-context.ts'
import { table } from './print.ts'
import { openRestClient, withCommandErrors } from './rest-client.ts'
import { addListOptions, type ListOptions, showList } from './show-list.ts'
import { exactNumber } from './whole-number.ts'

export function categoriesCommand(shop: CommandContext): Command {
  const categories = new Command('categories').description('give names to the categories of pets')

  addListOptions(categories.command('list'), 'categories', 'category')
    .description('list the categories that have a name, by ascending number')
    .option('--name <part>', 'only categories with this in their name')
    .action(async ({ name, ...options }: ListOptions & { name?: string }, command: Command) => {
      const store = openRestClient(shop.connect('owner'))
      await showList(
        shop,
        command,
        options,
        (page, call) => store.categories.list({ name, ...page }, call),
        showCategories,
      )
    })

  categories
    .command('show')
    .argument('<category>', 'its number', exactNumber)
    .description('show the name of one category, and how many pets it has')
    .action(async (id: bigint, _options: object, command: Command) => {
      const found = await withCommandErrors(openRestClient(shop.connect('owner')).categories.get(id))
      shop.print(command, found, showCategories([found]))
    })

  categories
    .command('set')
    .argument('<category>', 'its number', exactNumber)
    .argument('<name>', 'its name')
    .description('name a category, or rename it')
    .action(async (id: bigint, name: string, _options: object, command: Command) => {
      const set = await withCommandErrors(openRestClient(shop.connect('owner')).categories.set(id, name))
      shop.print(command, set, showCategories([set]))
    })

  categories
    .command('remove')
    .alias('delete')
    .argument('<category>', 'its number', exactNumber)
    .description('remove the name of a category; its pets keep the number')
    .action(async (id: bigint, _options: object, command: Command) => {
      await withCommandErrors(openRestClient(shop.connect('owner')).categories.remove(id))
      shop.print(command, { id }, `The category ${id} has no name any more.`)
    })

  return categories.addHelpText(
    'after',
    `
Examples:
  animal-store categories set 1 "Dogs"
  animal-store categories list --json
  animal-store categories remove 1`,
  )
}

function showCategories(categories: Category[]): string {
  const rows = categories.map(({ id, name, petCount }) => [id, name, petCount])
  return table(['CATEGORY', 'NAME', 'PETS'], rows)
}
