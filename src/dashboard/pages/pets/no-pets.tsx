import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'
import { NoRows } from '../../ui/pager.tsx'
import { Empty } from '../../ui/states.tsx'

type NoPetsProps = {
  status: string | null
  /** True if the list is searched by name or category. */
  isSearch: boolean
  /** True if there are pets on other pages. */
  isEmptied: boolean
  isEndOfSearch: boolean
  /** True if the search found no pet on this page, but goes on with the next page. */
  hasMore: boolean
  onAdd: (() => void) | null
}

/** Says why a page of the list has no pets. */
export function NoPets(props: NoPetsProps) {
  const { isSearch, isEmptied, isEndOfSearch, hasMore } = props
  return (
    <NoRows isEmptied={isEmptied && !(isSearch && hasMore)} isEndOfSearch={isEndOfSearch}>
      {isSearch ? <NoMatches {...props} /> : <NoneListed {...props} />}
    </NoRows>
  )
}

const NoMatches = ({ hasMore }: NoPetsProps) => (
  <Empty title={t.pets.noPetsMatchYourSearch}>
    <p>{hasMore ? t.pets.noMatchesSoFar : t.pets.tryDifferentNameCategoryOr}</p>
  </Empty>
)

function NoneListed({ status, onAdd }: NoPetsProps) {
  if (status)
    return (
      <Empty title={t.pets.noneWithStatus[status as keyof typeof t.pets.noneWithStatus]}>
        <p>{t.pets.chooseAnotherStatusToSee}</p>
      </Empty>
    )
  return (
    <Empty title={t.pets.storeIsEmpty}>
      <p>{t.pets.addFirstPetHereOr}</p>
      {onAdd && <Button onClick={onAdd}>{t.pets.addPet}</Button>}
    </Empty>
  )
}
