import type { ReactNode } from 'react'

type Props = {
  /** Title and class of each column: `wide` is hidden on a phone, `col-m` sets the width. */
  columns: readonly (readonly [title: ReactNode, look?: string])[]
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
            {columns.map(([title, look], index) => (
              <th key={index} scope="col" className={look}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

/** A column title for screen readers only. */
export const unseen = (title: string) => <span className="sr">{title}</span>
