import type { ReactNode } from 'react'
import { useRouter } from '../app/router.tsx'
import { firstPage } from './filter.tsx'
import type { Order } from './sort.ts'

type Props = {
  /** Title and class of each column: `wide` is hidden on a phone, `col-m` sets the width. The rows may be sorted by it. */
  columns: readonly (readonly [title: ReactNode, look?: string, sort?: Order])[]
  /** Rows end with a menu, which may overlap the card's edge. */
  hasMenus?: boolean
  children: ReactNode
}

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
  const { ascending, descending, usual } = order
  const { ask, query } = useRouter()
  const sort = query.get('sort') ?? usual
  const sorted = sort === ascending ? 'ascending' : sort === descending ? 'descending' : 'none'
  const next = sorted === 'ascending' ? descending : ascending
  return (
    <th scope="col" className={look} aria-sort={sorted}>
      <button
        type="button"
        className="sort"
        onClick={() => ask({ sort: next === usual ? null : next, ...firstPage })}
      >
        {children}
        <span aria-hidden="true">{marks[sorted]}</span>
      </button>
    </th>
  )
}

const marks = { ascending: '▴', descending: '▾', none: '' }

/** A column title for screen readers only. */
export const unseen = (title: string) => <span className="sr">{title}</span>
