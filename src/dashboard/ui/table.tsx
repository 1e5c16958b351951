import type { ReactNode } from 'react'

type Props = {
  /** Each column's title, and how it looks: `wide` is left out on a phone, `col-m` is its width. */
  columns: readonly (readonly [title: ReactNode, look?: string])[]
  /** A row ends with a menu, which may reach over the card's edge. */
  hasMenus?: boolean
  children: ReactNode
}

/** A list in a card, of columns that keep their width. */
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

/** The title of a column that eyes understand without one. */
export const unseen = (title: string) => <span className="sr">{title}</span>
