import { type ComponentType, useEffect, useState } from 'react'
import { useRouter } from '../app/router.tsx'
import { firstPage } from './filter.tsx'
import type { PickerProps } from './picker.tsx'

const pauseMs = 300

type Props = { label: string; name: string; input: ComponentType<PickerProps> }

/**
 * Filters a list by a thing that is chosen by name or number. A name that is still being typed does not change the
 * filter.
 */
export function PickerFilter({ label, name, input: Input }: Props) {
  const { query, ask } = useRouter()
  const inAddress = query.get(name) ?? ''
  const [chosen, setChosen] = useState(inAddress)
  useEffect(() => setChosen(inAddress), [inAddress])
  useEffect(() => {
    if (chosen === inAddress || !/^(-?\d+)?$/.test(chosen)) return
    const timer = setTimeout(() => ask({ [name]: chosen || null, ...firstPage }, 'replace'), pauseMs)
    return () => clearTimeout(timer)
  }, [chosen, inAddress, name, ask])
  return (
    <div className="filter-field">
      <Input aria-label={label} placeholder={label} type="search" value={chosen} onChange={setChosen} />
    </div>
  )
}
