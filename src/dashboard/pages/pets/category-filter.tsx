import { useEffect, useState } from 'react'
import { useRouter } from '../../app/router.tsx'
import { CategoryInput } from '../../ui/category-input.tsx'
import { firstPage } from '../../ui/pager.tsx'

const pauseMs = 300

/** Filters by a category, by its name or number. A name that is still being typed does not filter. */
export function CategoryFilter() {
  const { query, ask } = useRouter()
  const asked = query.get('categoryId') ?? ''
  const [chosen, setChosen] = useState(asked)
  useEffect(() => setChosen(asked), [asked])
  useEffect(() => {
    if (chosen === asked || !/^(-?\d+)?$/.test(chosen)) return
    const timer = setTimeout(() => ask({ categoryId: chosen || null, ...firstPage }, 'replace'), pauseMs)
    return () => clearTimeout(timer)
  }, [chosen, asked, ask])
  return (
    <div className="filter-field">
      <CategoryInput
        aria-label="Category"
        placeholder="Category"
        type="search"
        value={chosen}
        onChange={setChosen}
      />
    </div>
  )
}
