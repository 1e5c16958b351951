import { invalidInput } from '../core/errors.ts'

/** A page in the shape of a Relay connection: each list of the schema is one. */
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

/** `endCursor` defaults to the cursor of the last node. Cursors are made only if they are selected. */
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

/** A cursor also names its list, so that other lists reject it. */
export function makeCursor(list: string, key: string | number): string {
  return Buffer.from(`${list} ${key}`).toString('base64url')
}

export function readCursor(list: string, cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString()
  if (key.startsWith(`${list} `) && Buffer.from(key).toString('base64url') === cursor) {
    return key.slice(list.length + 1)
  }
  throw invalidInput([{ field: 'after', message: 'must be a cursor of a page of this list' }])
}

/** Like `readCursor`, for lists whose key is a PostgreSQL integer. */
export function readNumberCursor(list: string, cursor: string): number {
  const number = readCursor(list, cursor)
  if (/^\d{1,10}$/.test(number) && Number(number) < 2 ** 31) return Number(number)
  throw invalidInput([{ field: 'after', message: 'must be a cursor of a page of this list' }])
}

export function judgeFirst(first: number, most: number): number {
  if (first >= 1 && first <= most) return first
  throw invalidInput([{ field: 'first', message: `must be a whole number from 1 to ${most}` }])
}
