import type { ReactNode } from 'react'
import { useRouter } from '../app/router.tsx'
import { firstPage, useFilter } from './filter.tsx'

type Props = {
  /** Title and class of each column: `wide` is hidden on a phone, `col-m` sets the width. The rows may be sorted by it. */
  columns: readonly (readonly [title: ReactNode, look?: string, sort?: Order])[]
  /** Rows end with a menu, which may overlap the card's edge. */
  hasMenus?: boolean
  children: ReactNode
}

/** How the rows are sorted by a column: the two values of the URL parameter `sort`. */
type Order = { ascending: string; descending: string }

/** A table in a card, with fixed column widths. */
export function Table({ columns, hasMenus = false, children }: Props) {
  return (
    <div className={`card flush ${hasMenus ? 'menus' : ''}`}>
      <table className="fixed">
        <thead>
          <tr>
            {columns.map(([title, look, order], index) =>
              order ? (
                <SortedHead key={index} look={look} order={order}>
                  {title}
                </SortedHead>
              ) : (
                <th key={index} scope="col" className={look}>
                  {title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

function SortedHead({ look, order, children }: { look?: string; order: Order; children: ReactNode }) {
  const { ascending, descending } = order
  const { ask } = useRouter()
  const isDescending = useFilter('sort', [ascending, descending]) === descending
  return (
    <th scope="col" className={look} aria-sort={isDescending ? 'descending' : 'ascending'}>
      <button
        type="button"
        className="sort"
        onClick={() => ask({ sort: isDescending ? null : descending, ...firstPage })}
      >
        {children}
        <span aria-hidden="true">{isDescending ? '▾' : '▴'}</span>
      </button>
    </th>
  )
}

/** A column title for screen readers only. */
export const unseen = (title: string) => <span className="sr">{title}</span>
