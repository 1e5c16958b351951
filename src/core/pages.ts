import { makeCursor, readCursor } from './cursor.ts'
import { type Fault, invalidInput } from './errors.ts'
import type { Project } from './project.ts'

type List = Parameters<typeof makeCursor>[2]
/** What a list is asked for: so many, behind the one of this id. */
export type PageAsked = { limit: number; after: bigint | null }
export type Page<Item> = { items: Item[]; nextCursor: string | null }

function faultsOfLimit(field: string, limit: number | null): Fault[] {
  const isFit = limit !== null && limit >= 1 && limit <= 100
  return isFit ? [] : [{ field, message: 'must be a whole number from 1 to 100' }]
}

/** `names` says what the door that asks calls the number and the cursor, `faults` what else is wrong with its question. */
export function judgePage(
  list: List,
  project: Project,
  names: { limit: string; after: string },
  { limit, after }: { limit: number | null; after: string | null },
  faults: readonly Fault[] = [],
): PageAsked {
  const all = [...faultsOfLimit(names.limit, limit), ...faults]
  if (all.length > 0) throw invalidInput(all)
  return {
    limit: limit ?? 0,
    after: after === null ? null : readCursor(names.after, project, after, list),
  }
}

/** A page of what was found: of one item more than were asked for, which tells that there is a further page. */
export function toPage<Item extends { id: bigint }>(
  list: List,
  project: Project,
  { limit }: PageAsked,
  found: readonly Item[],
): Page<Item> {
  const items = found.slice(0, limit)
  const last = found.length > limit ? items.at(-1) : undefined
  return { items, nextCursor: last ? makeCursor(project, last.id, list) : null }
}
