import { crc32 } from 'node:zlib'
import { invalidInput } from '../core/errors.ts'

/** A page as a Relay connection, which every list of the schema is. */
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

type Place = { hasNextPage: boolean; hasPreviousPage: boolean }

/** `endCursor` defaults to the last node's cursor. Cursors are computed only if selected. */
export function connectionOf<Node>(
  nodes: Node[],
  place: Place,
  cursorOf: (node: Node) => string,
  endCursor: string | null = null,
): Connection<Node> {
  const cursorAt = (node: Node | undefined) => (node === undefined ? null : cursorOf(node))
  return {
    nodes,
    get edges() {
      return nodes.map(node => ({
        node,
        get cursor() {
          return cursorOf(node)
        },
      }))
    },
    pageInfo: {
      ...place,
      get startCursor() {
        return cursorAt(nodes[0])
      },
      get endCursor() {
        return endCursor ?? cursorAt(nodes.at(-1))
      },
    },
  }
}

type Owner = { id: number } | null

/**
 * Encodes a cursor. Its checksum binds it to its list and the project that owns the list; null: a list of all projects.
 */
export function makeCursor(list: string, owner: Owner, key: string | number): string {
  const check = crc32(`${list} of ${owner?.id ?? 'all'} after ${key}`).toString(36)
  return Buffer.from(`${list} ${key} ${check}`).toString('base64url')
}

/** Decodes a cursor. Without an owner, checks only the form and the list. */
export function readCursor(list: string, owner: Owner | undefined, cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  const key = text.slice(list.length + 1, text.lastIndexOf(' '))
  const isOfList = text.startsWith(`${list} `) && Buffer.from(text).toString('base64url') === cursor
  if (isOfList && (owner === undefined || makeCursor(list, owner, key) === cursor)) return key
  throw invalidInput([{ field: 'after', message: 'must be a cursor of a page of this list' }])
}

/** Like `readCursor`, for lists whose keys are PostgreSQL integers. */
export function readNumberCursor(list: string, owner: Owner | undefined, cursor: string): number {
  const number = readCursor(list, owner, cursor)
  if (/^\d{1,10}$/.test(number) && Number(number) < 2 ** 31) return Number(number)
  throw invalidInput([{ field: 'after', message: 'must be a cursor of a page of this list' }])
}

export function validateFirst(first: number, most: number): number {
  if (first >= 1 && first <= most) return first
  throw invalidInput([{ field: 'first', message: `must be a whole number from 1 to ${most}` }])
}
