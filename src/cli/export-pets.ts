import { Command } from 'commander'
import type { AnimalStore, ExportQuery } from '../../clients/typescript/src/index.ts'
import type { CommandContext } from './command-context.ts'
import { exitCodes, Refused } from './exit.ts'
import { openRestClient, withCommandErrors } from './rest-client.ts'
import { formatOf, formatOption, writeExport } from './write-export.ts'

type Options = Omit<ExportQuery, 'categoryId' | 'safe'> & { category?: bigint; safe?: true }

export function exportCommand(shop: CommandContext): Command {
  return new Command('export')
    .argument('[file]', 'the file to write; if it is not given or -, the standard output')
    .description('write all pets, or those that match the filters, to a file or a pipe')
    .addOption(formatOption())
    .option(
      '--safe',
      'with csv: an apostrophe before each name that a spreadsheet would run as a formula; an import removes it',
    )
    .action(async (file: string | undefined, { category, safe, ...options }: Options) => {
      const format = formatOf(file, options.format)
      if (safe && format !== 'csv') throw new Refused('--safe needs --format csv.', exitCodes.wrongInput)
      const store = openRestClient(shop.connect('owner'))
      const query: ExportQuery = { format, ...options, categoryId: category, ...(safe && { safe: '1' }) }
      await writeExport(shop.output, file, {
        format,
        things: 'pets',
        open: signal => withCommandErrors(store.pets.export(query, signal ? { signal } : {})),
        count: () => countPets(store, query),
      })
    })
}

/** Returns the number of pets to export; null if the service has no count for the filters. */
async function countPets(
  store: AnimalStore,
  { status, categoryId, name }: ExportQuery,
): Promise<number | null> {
  if (name !== undefined || categoryId !== undefined) return null
  const inventory = await withCommandErrors(store.getInventory())
  return status === undefined ? inventory.total : inventory[status]
}
