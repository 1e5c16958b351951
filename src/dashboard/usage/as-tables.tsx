import { type ComponentProps, useState } from 'react'
import { t } from '../texts/index.ts'
import { part } from '../ui/part.tsx'
import { Loading } from '../ui/states.tsx'

const UsageTables = part(() => import('./usage-table.tsx'), Loading)

/** The figures of a chart as tables, collapsed at first. */
export function AsTables({ tables }: ComponentProps<typeof UsageTables>) {
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t.usage.showAsTable}</summary>
      <div className="stack">{open && <UsageTables tables={tables} />}</div>
    </details>
  )
}
