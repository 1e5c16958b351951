import type { ReactNode } from 'react'
import { useRouter } from '../app/router.tsx'
import { firstPage } from './filter.tsx'
import type { Order } from './sort.ts'
import { optionsOf, SortBy } from './sort-by.tsx'

type Props = {
  /**
   * Title, class and sort order of each column. The class `wide` hides the column on a phone; `col-m` sets its width.
   */
  columns: readonly (readonly [title: ReactNode, look?: string, sort?: Order])[]
  /** True if each row ends with a menu, which may overlap the card's edge. */
  hasMenus?: boolean
  /**
   * True if the page has a SortBy above the table. Other tables show a SortBy on a phone, which hides the heads of
   * columns.
   */
  isSortedAbove?: boolean
  children: ReactNode
}

/** A table in a card, with fixed column widths. */
export function Table({ columns, hasMenus = false, isSortedAbove = false, children }: Props) {
  const orders = columns.flatMap(([, , order]) => order ?? [])
  const card = (
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
  if (isSortedAbove || orders.length === 0) return card
  return (
    <>
      <div className="filters narrow">
        <SortBy options={optionsOf(orders)} />
      </div>
      {card}
    </>
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
