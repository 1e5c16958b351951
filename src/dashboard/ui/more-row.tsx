import type { ReactNode } from 'react'
import { useNarrow } from './narrow.ts'

type Props = { id?: string; columns: number; columnsOnNarrow: number; children: ReactNode }

/** The details row that opens below a table row and spans all columns. */
export function MoreRow({ id, columns, columnsOnNarrow, children }: Props) {
  const isNarrow = useNarrow()
  return (
    <tr>
      {/* `colSpan` must not count hidden columns, or the table gets extra ones. */}
      <td colSpan={isNarrow ? columnsOnNarrow : columns} id={id}>
        {children}
      </td>
    </tr>
  )
}
