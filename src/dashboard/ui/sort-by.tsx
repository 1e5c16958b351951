import { t } from '../texts/pages.ts'
import { Filter } from './filter.tsx'
import type { Order } from './sort.ts'

type Props<Value> = {
  /** The orders; the first is the usual one, which the URL leaves out. */
  options: readonly { value: Value; label: string }[]
  /** The URL parameter that holds the order. */
  name?: string
}

/**
 * A select that sorts a list. Use the select if the list has no column to sort by, or if a phone hides the column
 * headers.
 */
export function SortBy<Value extends string>({ options, name = 'sort' }: Props<Value>) {
  return <Filter label={t.sorts.sortBy} name={name} options={options} />
}

/** Returns both orders of each column, the usual one first. */
export function optionsOf(orders: readonly Order[]) {
  const options = orders.flatMap(({ ascending, descending, labels }) => [
    { value: ascending, label: labels[0] },
    { value: descending, label: labels[1] },
  ])
  const isUsual = ({ value }: { value: string }) => orders.some(({ usual }) => usual === value)
  return [...options.filter(isUsual), ...options.filter(option => !isUsual(option))]
}
