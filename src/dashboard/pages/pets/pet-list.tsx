import { askAgain, useLiveQuery } from '../../app/live.ts'
import { useRouter } from '../../app/router.tsx'
import { useMissing } from '../../app/session.ts'
import { type PetRowFragment, PetsDocument, PetVersionDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { CategoryInput } from '../../ui/category-input.tsx'
import { Segments, useFilter } from '../../ui/filter.tsx'
import { useHiddenRows } from '../../ui/hidden-rows.ts'
import { News } from '../../ui/news.tsx'
import { Pager, usePageSize, usePaging } from '../../ui/pager.tsx'
import { PickerFilter } from '../../ui/picker-filter.tsx'
import { Search } from '../../ui/search.tsx'
import { useSelection } from '../../ui/selection.tsx'
import { optionsOf, SortBy } from '../../ui/sort-by.tsx'
import { Failed, Loading, Outdated } from '../../ui/states.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { ChosenPets } from './chosen-pets.tsx'
import { EditPet } from './edit-pet.tsx'
import { NoPets } from './no-pets.tsx'
import { usePetActs } from './pet-acts.ts'
import { type Act, byId, PetsTable } from './pets-table.tsx'
import { PlaceOrder } from './place-order.tsx'

const statuses = [
  { value: 'all', label: t.pets.all },
  { value: 'available', label: t.pets.available },
  { value: 'pending', label: t.pets.pending },
  { value: 'sold', label: t.pets.sold },
] as const
const eventTypes = ['pet.created', 'pet.updated', 'pet.deleted', 'pets.created', 'pets.replaced']
const statusValues = statuses.map(({ value }) => value)
const sortValues = ['oldest_first', 'newest_first'] as const

type PetListProps = {
  added: PetRowFragment | null
  onAdd: (() => void) | null
}

/** The pets that match the chosen filters, a page at a time. */
export function PetList({ added, onAdd }: PetListProps) {
  const { query } = useRouter()
  const chosen = useFilter('status', statusValues)
  const status = chosen === 'all' ? null : chosen
  const categoryId = query.get('categoryId')
  const name = query.get('name')
  const sort = useFilter('sort', sortValues)
  const paging = usePaging()
  const pageSize = usePageSize()
  const missing = useMissing('pets_write')
  const missingForOrders = useMissing('orders_write')
  const [doing, setDoing, close] = useDialog<Act>()
  const filters = { status, categoryId, name, sort }
  const variables = { ...filters, first: pageSize, after: paging.after }
  const [{ data, error, fetching, stale, isEarlier }, ask] = useLiveQuery({ query: PetsDocument, variables })
  const again = () => ask({ requestPolicy: 'network-only' })
  const hidden = useHiddenRows()
  const pets = usePinned(data?.pets.nodes ?? [], added).filter(({ id }) => !hidden.has(id))
  const isEmptied = data?.pets.pageInfo.hasNextPage === true || paging.page > 1
  // Leave out pets that wait for their deletion. Undo of the deletion brings them back into the choice.
  const withHidden = useSelection(pets, JSON.stringify(filters))
  const selection = { ...withHidden, chosen: withHidden.chosen.filter(({ id }) => !hidden.has(id)) }
  const { remove } = usePetActs()
  const act = (next: Act) => (next.act === 'delete' ? remove([next.pet]) : setDoing(next))
  const isListed = (pet: Record<string, unknown>) =>
    (status === null || pet.status === status) &&
    (categoryId === null || String(pet.categoryId) === categoryId) &&
    String(pet.name)
      .toLowerCase()
      .includes(name?.toLowerCase() ?? '')
  return (
    <section className="stack" aria-label={t.pets.title} aria-busy={fetching || stale}>
      <Segments label={t.pets.showByStatus} name="status" options={statuses} />
      <search className="filters">
        <Search label={t.pets.searchByName} name="name" />
        <PickerFilter label={t.pets.category} name="categoryId" input={CategoryInput} />
        <SortBy options={optionsOf([byId])} />
      </search>
      {data && <Outdated error={error} retry={again} />}
      {data && (
        <News
          types={eventTypes}
          isListed={isListed}
          shown={pets.map(({ id }) => `pet:${id}`)}
          show={askAgain}
        />
      )}
      {error && !data ? (
        <Failed error={error} retry={again} what={t.pets.petsCouldNotBeLoaded} />
      ) : !data ? (
        <Loading lines={9} />
      ) : (
        <>
          {pets.length === 0 ? (
            <NoPets
              status={status}
              isSearch={Boolean(name || categoryId)}
              isEmptied={isEmptied}
              isEndOfSearch={Boolean(name) && !data.pets.pageInfo.hasNextPage}
              hasMore={data.pets.nodes.length === 0 && data.pets.pageInfo.hasNextPage}
              onAdd={onAdd}
            />
          ) : (
            <PetsTable
              pets={pets}
              missing={missing}
              missingForOrders={missingForOrders}
              selection={selection}
              onAct={act}
            />
          )}
          <ChosenPets
            selection={selection}
            filters={filters}
            hasMore={data.pets.pageInfo.hasNextPage || paging.page > 1}
            missing={missing}
          />
          <Pager
            paging={paging}
            info={data.pets.pageInfo}
            isEarlier={isEarlier}
            count={pets.length}
            total={{ count: data.pets.totalCount, inWords: t.pets.count, pageSize }}
            hasSizes
          />
        </>
      )}
      {doing?.act === 'edit' && <EditPet pet={doing.pet} onClose={close} />}
      {doing?.act === 'order' && <PlaceOrder pet={doing.pet} onClose={close} />}
    </section>
  )
}

/**
 * Shows a pet that was just added as the first row, in its current state. Sorted by id, the pet would be on the last
 * page.
 */
function usePinned(pets: PetRowFragment[], added: PetRowFragment | null): PetRowFragment[] {
  const isElsewhere = added !== null && !pets.some(({ id }) => id === added.id)
  const variables = { id: added?.id ?? '' }
  const [{ data }] = useLiveQuery({ query: PetVersionDocument, variables, context, pause: !isElsewhere })
  const isDeleted = data?.node === null
  if (!isElsewhere || isDeleted) return pets
  const latest = data?.node as PetRowFragment | undefined
  return [latest?.id === added.id ? latest : added, ...pets]
}

const context = { additionalTypenames: ['Pet'] }
