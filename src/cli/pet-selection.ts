import { type Command, InvalidArgumentError } from 'commander'
import type { PetStatus, PetsSelection } from '../../clients/typescript/src/index.ts'
import { exitCodes, Refused } from './exit.ts'
import { exactNumber } from './whole-number.ts'

type Where = { status?: PetStatus; categoryId?: bigint; name?: string }

/** Adds the arguments that select pets: ids, or `--where` with filters. */
export function addSelection(command: Command): Command {
  return command
    .argument('[pets...]', 'their ids, up to 1,000', (id: string, before: bigint[] = []) => [
      ...before,
      exactNumber(id),
    ])
    .option(
      '--where <filter>',
      'a filter instead of ids: status=sold, category=7 or name=bisc; pets must match all filters',
      readWhere,
    )
}

export function selectionOf(ids: bigint[], where: Where | undefined): PetsSelection {
  if (ids.length > 0 === (where !== undefined))
    throw new Refused('Choose pets either by their ids or by --where.', exitCodes.wrongInput)
  return where === undefined ? { ids } : { filter: where }
}

/** Describes the selected pets for the confirmation question. */
export function nameOf({ ids, filter }: PetsSelection): string {
  if (ids) return ids.length === 1 ? `Pet ${ids[0]}` : `${ids.length} pets`
  const parts = [
    filter?.status && `status ${filter.status}`,
    filter?.categoryId !== undefined && `category ${filter.categoryId}`,
    filter?.name && `"${filter.name}" in their name`,
  ]
  return `All pets with ${parts.filter(Boolean).join(' and ')}`
}

function readWhere(text: string, before: Where = {}): Where {
  const [, field = '', value = ''] = /^(.*?)=(.+)$/s.exec(text) ?? []
  const filter = filterOf(field, value)
  // If the last one won, the command would act on more pets than the user meant.
  if (Object.keys(filter).some(key => key in before))
    throw new InvalidArgumentError(`Give ${field} only once.`)
  return { ...before, ...filter }
}

function filterOf(field: string, value: string): Where {
  if (field === 'status') return { status: value as PetStatus }
  if (field === 'category') return { categoryId: exactNumber(value) }
  if (field === 'name') return { name: value }
  throw new InvalidArgumentError('It must have the form status=VALUE, category=ID or name=TEXT.')
}
