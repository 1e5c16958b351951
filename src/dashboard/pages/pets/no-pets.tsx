import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/states.tsx'

type NoPetsProps = {
  status: string | null
  /** True if the list is searched by name or category. */
  isSearch: boolean
  /** True if there are pets on other pages. */
  isEmptied: boolean
  hasMore: boolean
  onAdd: (() => void) | null
}

/** Says why a page of the list has no pets. */
export function NoPets(props: NoPetsProps) {
  return <div className="card">{props.isSearch ? <NoMatches {...props} /> : <NoneListed {...props} />}</div>
}

const NoMatches = ({ hasMore }: NoPetsProps) => (
  <Empty title="No pets match your search">
    <p>
      {hasMore
        ? 'No matches in the first 50,000 pets. The next page keeps searching.'
        : 'Try a different name, category or status.'}
    </p>
  </Empty>
)

function NoneListed({ status, isEmptied, onAdd }: NoPetsProps) {
  if (status)
    return (
      <Empty title={`No ${status} pets`}>
        <p>Choose another status to see the others.</p>
      </Empty>
    )
  if (isEmptied)
    return (
      <Empty title="No pets left on this page">
        <p>See another page for the others.</p>
      </Empty>
    )
  return (
    <Empty title="The store is empty">
      <p>Add the first pet here, or over REST or GraphQL.</p>
      {onAdd && <Button onClick={onAdd}>Add pet</Button>}
    </Empty>
  )
}
