import { useRouter } from '../app/router.tsx'
import { reader } from '../texts/format.ts'
import { t } from '../texts/pages.ts'
import { useFilter } from './filter.tsx'

/** The two values of the URL parameter `sort` for a column. Without the parameter, the list has the order `usual`. */
export type Order = {
  ascending: string
  descending: string
  usual: string
  labels: readonly [ascending: string, descending: string]
}

/**
 * The order of lists that the store returns newest first. For "oldest first", the dashboard reads the pages from the
 * end of the list, so that both orders cover the whole list.
 */
export const byAge: Order = {
  ...{ ascending: 'oldest', descending: 'newest', usual: 'newest' },
  labels: t.sorts.age,
}

type Connection<Node> = {
  nodes: Node[]
  pageInfo: {
    hasNextPage: boolean
    endCursor: string | null
    hasPreviousPage: boolean
    startCursor: string | null
  }
}

/**
 * Sorts a list by age, newest or oldest first, as the URL says. Returns the variables to query a page, and the function
 * `turned`. If the oldest rows come first, `turned` reverses the answer, because the store returns the newest rows
 * first.
 */
export function useAgeOrder(after: string | null, size: number) {
  const isOldest = useFilter('sort', ['newest', 'oldest']) === 'oldest'
  const [none, page] = [
    { first: null, after: null, last: null, before: null },
    isOldest ? { last: size, before: after } : { first: size, after },
  ]
  return {
    variables: { ...none, ...page },
    turned<Node>({ nodes, pageInfo }: Connection<Node>) {
      const { hasPreviousPage, startCursor } = pageInfo
      if (!isOldest) return { nodes, pageInfo }
      return {
        nodes: nodes.toReversed(),
        pageInfo: { hasNextPage: hasPreviousPage, endCursor: startCursor },
      }
    },
  }
}

type Value = string | number
const alphabetical = new Intl.Collator(reader, { numeric: true })
const compare = (one: Value, other: Value) =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : alphabetical.compare(String(one), String(other))

/** Sorts a list that is loaded whole by the column in the URL. `-name` is descending; rows that are equal keep their order. */
export function useSorted<Row>(rows: readonly Row[], columns: Record<string, (row: Row) => Value>): Row[] {
  const sort = useRouter().query.get('sort') ?? ''
  const sortValue = Object.hasOwn(columns, sort.replace(/^-/, ''))
    ? columns[sort.replace(/^-/, '')]
    : undefined
  if (!sortValue) return [...rows]
  const sign = sort.startsWith('-') ? -1 : 1
  return rows.toSorted((one, other) => sign * compare(sortValue(one), sortValue(other)))
}

/** The two orders of a column for `useSorted`. `usual` is the order of the list if the reader has chosen no order. */
export const by = (column: string, usual: string, labels: Order['labels']): Order => ({
  ...{ ascending: column, descending: `-${column}`, usual, labels },
})
