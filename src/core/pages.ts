import { makeCursor, readCursor } from './cursor.ts'
import { type Fault, invalidInput } from './errors.ts'
import type { Project } from './project.ts'

type List = Parameters<typeof makeCursor>[2]
/** Parameters of a list: the size of the page, and the id after which it begins. */
export type PageAsked = { limit: number; after: bigint | null }
export type Page<Item> = { items: Item[]; hasMore: boolean; readonly nextCursor: string | null }

function faultsOfLimit(field: string, limit: number | null): Fault[] {
  const isFit = limit !== null && limit >= 1 && limit <= 100
  return isFit ? [] : [{ field, message: 'must be a whole number from 1 to 100' }]
}

/**
 * Validates the parameters of a list. `names` are the door's own words for them; `faults` is what the door found
 * already.
 */
export function parsePage(
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

/** Builds a page from the rows of a query that asked for one row more, which says whether another page follows. */
export function toPage<Item extends { id: bigint }>(
  list: List,
  project: Project,
  { limit }: PageAsked,
  found: readonly Item[],
): Page<Item> {
  const items = found.slice(0, limit)
  const hasMore = found.length > limit
  return {
    items,
    hasMore,
    // Made if asked for: a page of pets has a hundred pages of orders, mostly without.
    get nextCursor() {
      const last = hasMore ? items.at(-1) : undefined
      return last ? makeCursor(project, last.id, list) : null
    },
  }
}
