import { crc32 } from 'node:zlib'
import { type Fault, invalidInput } from '../core/errors.ts'

/** A page of a list in the form of a Relay connection. Every list of the schema has this form. */
export type Connection<Node> = {
  edges: { node: Node; cursor: string }[]
  nodes: Node[]
  pageInfo: {
    hasNextPage: boolean
    hasPreviousPage: boolean
    startCursor: string | null
    endCursor: string | null
  }
}

type Neighbours = { hasNextPage: boolean; hasPreviousPage: boolean }

type CursorOf<Node> = (node: Node) => string
/** The start cursor and the end cursor of a page, where they differ from the cursors of its first and last node. */
type Ends = { startCursor?: string | null; endCursor?: string | null }

/**
 * Each cursor is computed only if the operation selects it. LazyPage in core/pages.ts explains why these are classes.
 */
export function connectionOf<Node>(
  nodes: Node[],
  neighbours: Neighbours,
  cursorOf: CursorOf<Node>,
  ends: Ends = {},
): Connection<Node> {
  return new LazyConnection(nodes, cursorOf, new LazyPageInfo(nodes, neighbours, cursorOf, ends))
}

class LazyConnection<Node> implements Connection<Node> {
  readonly nodes: Node[]
  readonly pageInfo: LazyPageInfo<Node>
  readonly #cursorOf: CursorOf<Node>

  constructor(nodes: Node[], cursorOf: CursorOf<Node>, pageInfo: LazyPageInfo<Node>) {
    this.nodes = nodes
    this.pageInfo = pageInfo
    this.#cursorOf = cursorOf
  }

  get edges(): LazyEdge<Node>[] {
    return this.nodes.map(node => new LazyEdge(node, this.#cursorOf))
  }
}

class LazyEdge<Node> {
  readonly node: Node
  readonly #cursorOf: CursorOf<Node>

  constructor(node: Node, cursorOf: CursorOf<Node>) {
    this.node = node
    this.#cursorOf = cursorOf
  }

  get cursor(): string {
    return this.#cursorOf(this.node)
  }
}

class LazyPageInfo<Node> {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly #nodes: Node[]
  readonly #cursorOf: CursorOf<Node>
  readonly #ends: Ends

  constructor(nodes: Node[], neighbours: Neighbours, cursorOf: CursorOf<Node>, ends: Ends) {
    this.hasNextPage = neighbours.hasNextPage
    this.hasPreviousPage = neighbours.hasPreviousPage
    this.#nodes = nodes
    this.#cursorOf = cursorOf
    this.#ends = ends
  }

  get startCursor(): string | null {
    return this.#ends.startCursor ?? this.#cursorAt(0)
  }

  get endCursor(): string | null {
    return this.#ends.endCursor ?? this.#cursorAt(-1)
  }

  #cursorAt(index: number): string | null {
    const node = this.#nodes.at(index)
    return node === undefined ? null : this.#cursorOf(node)
  }
}

export type PageArguments = {
  first?: number | null | undefined
  after?: string | null | undefined
  last?: number | null | undefined
  before?: string | null | undefined
}

/** A page by `first` and `after`, or backward by `last` and `before`. `names` are the given arguments. */
export type PageRead = {
  limit: number
  after: string | null
  isBackward: boolean
  names: { limit: 'first' | 'last'; after: 'after' | 'before' }
}

/** Reads the arguments of a list, whose pages have `usual` items by default. */
export function readPage({ first, after, last, before }: PageArguments, usual: number): PageRead {
  const isGiven = (value: unknown) => value !== null && value !== undefined
  if (!isGiven(last) && !isGiven(before))
    return {
      ...{ limit: first ?? usual, after: after ?? null, isBackward: false },
      names: { limit: 'first', after: 'after' },
    }
  const faults: Fault[] = []
  if (!isGiven(last)) faults.push({ field: 'last', message: 'must be given with before' })
  if (isGiven(first)) faults.push({ field: 'first', message: 'cannot be given with last' })
  if (isGiven(after)) faults.push({ field: 'after', message: 'cannot be given with last' })
  if (faults.length > 0) throw invalidInput(faults)
  return {
    ...{ limit: last ?? usual, after: before ?? null, isBackward: true },
    names: { limit: 'last', after: 'before' },
  }
}

/** Says whether items precede or follow a page. `hasMore` is true if items follow in the page's direction. */
export function neighboursOf(
  { after, isBackward }: Pick<PageRead, 'isBackward'> & { after: unknown },
  hasMore: boolean,
): Neighbours {
  const hasOther = after !== null
  return isBackward
    ? { hasNextPage: hasOther, hasPreviousPage: hasMore }
    : { hasNextPage: hasMore, hasPreviousPage: hasOther }
}

type Owner = { id: number } | null

/**
 * Encodes a cursor. Its checksum binds it to its list and to the project that owns the list. A null owner means a list
 * of all projects.
 */
export function makeCursor(list: string, owner: Owner, key: string | number): string {
  const check = crc32(`${list} of ${owner?.id ?? 'all'} after ${key}`).toString(36)
  return Buffer.from(`${list} ${key} ${check}`).toString('base64url')
}

/** Decodes a cursor. Without an owner, checks only the form and the list. */
export function readCursor(
  list: string,
  owner: Owner | undefined,
  cursor: string,
  field: 'after' | 'before',
): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  const key = text.slice(list.length + 1, text.lastIndexOf(' '))
  const isOfList = text.startsWith(`${list} `) && Buffer.from(text).toString('base64url') === cursor
  if (isOfList && (owner === undefined || makeCursor(list, owner, key) === cursor)) return key
  throw notACursor(field)
}

export const notACursor = (field: 'after' | 'before') =>
  invalidInput([{ field, message: 'must be a cursor of a page of this list' }])

/** Like `readCursor`, for lists whose keys are PostgreSQL integers. */
export function readNumberCursor(
  list: string,
  owner: Owner | undefined,
  cursor: string,
  field: 'after' | 'before',
): number {
  const number = readCursor(list, owner, cursor, field)
  if (/^\d{1,10}$/.test(number) && Number(number) < 2 ** 31) return Number(number)
  throw notACursor(field)
}

export function requireWithin(limit: number, most: number, field: 'first' | 'last'): number {
  if (limit >= 1 && limit <= most) return limit
  throw invalidInput([{ field, message: `must be a whole number from 1 to ${most}` }])
}
