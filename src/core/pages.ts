import { makeCursor, readCursor } from './cursor.ts'
import { type Fault, invalidInput } from './errors.ts'
import type { Project } from './project.ts'

export type List = Parameters<typeof makeCursor>[2]
/**
 * Parameters of a list: the page size, and the id after which the page begins. A backward page contains the items just
 * before this id, in the usual order of the list. `cursorName` is the parameter that `after` was given in.
 */
export type PageQuery = { limit: number; after: bigint | null; isBackward?: boolean; cursorName?: string }
export type Page<Item> = { items: Item[]; hasMore: boolean; readonly nextCursor: string | null }

function faultsOfLimit(field: string, limit: number | null): Fault[] {
  const isFit = limit !== null && limit >= 1 && limit <= 100
  return isFit ? [] : [{ field, message: 'must be a whole number from 1 to 100' }]
}

/**
 * Validates the parameters of a list. `names` are the parameter names of REST or GraphQL; `faults` are faults that were
 * found before.
 */
export function parsePage(
  list: List,
  project: Project,
  names: { limit: string; after: string },
  { limit, after }: { limit: number | null; after: string | null },
  faults: readonly Fault[] = [],
): PageQuery {
  const all = [...faultsOfLimit(names.limit, limit), ...faults]
  if (all.length > 0) throw invalidInput(all)
  return {
    limit: limit ?? 0,
    after: after === null ? null : readCursor(names.after, project, after, list),
  }
}

/**
 * Builds a page from rows that were read with a limit of one more than the page size. An extra row means that another
 * page follows.
 */
export function toPage<Item extends { id: bigint }>(
  list: List,
  project: Project,
  { limit, isBackward = false }: PageQuery,
  found: readonly Item[],
): Page<Item> {
  const items = found.slice(0, limit)
  if (isBackward) items.reverse()
  return new LazyPage(list, project, items, found.length > limit)
}

/**
 * Computes its cursor only when it is read, because a page of pets can contain a hundred pages of orders. It is a class
 * because V8 makes a hidden class in the old generation for every object literal with a getter, which keeps the items
 * in memory until the next full garbage collection.
 */
class LazyPage<Item extends { id: bigint }> implements Page<Item> {
  readonly items: Item[]
  readonly hasMore: boolean
  readonly #list: List
  readonly #project: Project

  constructor(list: List, project: Project, items: Item[], hasMore: boolean) {
    this.items = items
    this.hasMore = hasMore
    this.#list = list
    this.#project = project
  }

  get nextCursor(): string | null {
    const last = this.hasMore ? this.items.at(-1) : undefined
    return last ? makeCursor(this.#project, last.id, this.#list) : null
  }
}
