import { useMemo } from 'react'
import { useQuery } from '../app/operations.ts'
import { useMissing } from '../app/session.ts'
import { CategoryNamesDocument } from '../generated/pages/graphql.ts'
import { type Named, Picker, type PickerProps, usePaused } from './picker.tsx'

/** A field for a category. Suggests the categories with a name, and accepts any other number. */
export const CategoryInput = (props: PickerProps) => <Picker {...props} useNamed={useCategories} />

/**
 * Returns the categories that have a name. While the reader types, searches the store only if the list is longer than
 * one page, because each query costs a request of the plan.
 */
function useCategories(typed: string, isUsed: boolean): readonly Named[] {
  const missing = useMissing('pets_read')
  const pause = !isUsed || missing !== null
  const part = usePaused(typed)
  const [{ data: all }] = useQuery({ query: CategoryNamesDocument, variables: { name: null }, pause })
  const isLong = all?.categories.pageInfo.hasNextPage === true
  const [{ data: found }] = useQuery({
    query: CategoryNamesDocument,
    variables: { name: part },
    pause: pause || !isLong || part === '',
  })
  const shown = (isLong && part !== '' && found ? found : all)?.categories.nodes
  return useMemo(() => (shown ?? []).map(({ categoryId, name }) => ({ number: categoryId, name })), [shown])
}
