import { useState } from 'react'
import { useActFromAddress } from '../../app/act-from-address.ts'
import { useLiveQuery } from '../../app/live.ts'
import { useRouter } from '../../app/router.tsx'
import { useMissing } from '../../app/session.ts'
import { type PetRowFragment, PetsDocument } from '../../generated/pages/graphql.ts'
import { Button } from '../../ui/button.tsx'
import { CategoryInput } from '../../ui/category-input.tsx'
import { useFileDrop } from '../../ui/file-drop.ts'
import { Filter, Segments, useFilter } from '../../ui/filter.tsx'
import { useHiddenRows } from '../../ui/hidden-rows.ts'
import { DownloadIcon, PlusIcon, UploadIcon } from '../../ui/icons.tsx'
import { MissingScope } from '../../ui/missing-scope.tsx'
import { News } from '../../ui/news.tsx'
import { PageHead } from '../../ui/page.tsx'
import { firstPage, Pager, usePaging } from '../../ui/pager.tsx'
import { PetsTabs } from '../../ui/pets-tabs.tsx'
import { PickerFilter } from '../../ui/picker-filter.tsx'
import { Search } from '../../ui/search.tsx'
import { useSelection } from '../../ui/selection.tsx'
import { Empty, Failed, Loading, Outdated } from '../../ui/states.tsx'
import { AddPet } from './add-pet.tsx'
import { ChosenPets } from './chosen-pets.tsx'
import { EditPet } from './edit-pet.tsx'
import { ExportPets } from './export-pets.tsx'
import { ImportPets } from './import/import-pets.tsx'
import { usePetActs } from './pet-acts.ts'
import { type Act, PetsTable } from './pets-table.tsx'
import { PlaceOrder } from './place-order.tsx'

const pageSize = 20
const statuses = [
  { value: 'all', label: 'All' },
  { value: 'available', label: 'Available' },
  { value: 'pending', label: 'Pending' },
  { value: 'sold', label: 'Sold' },
] as const
const eventTypes = ['pet.created', 'pet.updated', 'pet.deleted', 'pets.created', 'pets.replaced']
const statusValues = statuses.map(({ value }) => value)
const sorts = [
  { value: 'oldest_first', label: 'Oldest first' },
  { value: 'newest_first', label: 'Newest first' },
] as const
const sortValues = sorts.map(({ value }) => value)

export default function Pets() {
  const [adding, setAdding] = useState(false)
  const [exporting, setExporting] = useState(false)
  // The pet added last, shown until the URL changes.
  const [added, setAdded] = useState<{ pet: PetRowFragment; search: string } | null>(null)
  /** The dropped files; an empty list after a click on the button. */
  const [importing, setImporting] = useState<readonly File[] | null>(null)
  const [imports, setImports] = useState(0)
  const { query, ask } = useRouter()
  const search = query.toString()
  const mayRead = useMissing('pets_read')
  const mayWrite = useMissing('pets_write')
  const isOver = useFileDrop(mayWrite === null ? setImporting : null)
  useActFromAddress('add', () => setAdding(true))
  useActFromAddress('import', () => setImporting([]))
  useActFromAddress('export', () => setExporting(true))
  const showImported = () => {
    ask({ ...firstPage, status: null, name: null, categoryId: null, sort: 'newest_first' })
    setImports(imports + 1)
  }
  const actions = (
    <>
      <Button missing={mayRead} onClick={() => setExporting(true)}>
        <DownloadIcon /> Export
      </Button>
      <Button missing={mayWrite} onClick={() => setImporting([])}>
        <UploadIcon /> Import
      </Button>
      <Button kind="primary" missing={mayWrite} onClick={() => setAdding(true)}>
        <PlusIcon /> Add pet
      </Button>
    </>
  )
  return (
    <>
      <PageHead title="Pets" actions={actions}>
        Everything in your store. Viewing and editing use requests from your plan.
      </PageHead>
      <PetsTabs part="pets" />
      {mayRead === null ? (
        <Shelf
          key={imports}
          added={added?.search === search ? added.pet : null}
          onPin={pet => setAdded({ pet, search })}
          onAdd={mayWrite === null ? () => setAdding(true) : null}
        />
      ) : (
        <MissingScope scope={mayRead} what="pets" />
      )}
      {exporting && <ExportPets filters={filtersOf(query)} onClose={() => setExporting(false)} />}
      {importing && (
        <ImportPets dropped={importing} onImported={showImported} onClose={() => setImporting(null)} />
      )}
      {isOver && !importing && <p className="drop-here">Drop the file to look at its pets</p>}
      {adding && <AddPet onAdded={pet => setAdded({ pet, search })} onClose={() => setAdding(false)} />}
    </>
  )
}

/** The list's filters as REST parameters. */
const filtersOf = (query: URLSearchParams) => ({
  status: query.get('status'),
  categoryId: query.get('categoryId'),
  name: query.get('name'),
})

type ShelfProps = {
  added: PetRowFragment | null
  onPin(pet: PetRowFragment): void
  onAdd: (() => void) | null
}

function Shelf({ added, onPin, onAdd }: ShelfProps) {
  const { query } = useRouter()
  const chosen = useFilter('status', statusValues)
  const status = chosen === 'all' ? null : chosen
  const categoryId = query.get('categoryId')
  const name = query.get('name')
  const sort = useFilter('sort', sortValues)
  const paging = usePaging()
  const missing = useMissing('pets_write')
  const missingForOrders = useMissing('orders_write')
  const [doing, setDoing] = useState<Act | null>(null)
  const close = () => setDoing(null)
  const repin = (pet: PetRowFragment) => {
    if (pet.id === added?.id) onPin(pet)
  }
  const filters = { status, categoryId, name, sort }
  const variables = { ...filters, first: pageSize, after: paging.after }
  const [{ data, error, fetching, stale }, ask] = useLiveQuery({ query: PetsDocument, variables })
  const again = () => ask({ requestPolicy: 'network-only' })
  const hidden = useHiddenRows()
  const pets = withAdded(data?.pets.nodes ?? [], added).filter(({ id }) => !hidden.has(id))
  const isEmptied = data?.pets.pageInfo.hasNextPage === true || paging.page > 1
  const selection = useSelection(pets, JSON.stringify(filters))
  const { remove } = usePetActs()
  const act = (next: Act) => (next.act === 'delete' ? remove([next.pet]) : setDoing(next))
  const isListed = (pet: Record<string, unknown>) =>
    (status === null || pet.status === status) &&
    (categoryId === null || String(pet.categoryId) === categoryId) &&
    String(pet.name)
      .toLowerCase()
      .includes(name?.toLowerCase() ?? '')
  return (
    <section className="stack" aria-label="Pets" aria-busy={fetching || stale}>
      <Segments label="Show by status" name="status" options={statuses} />
      <search className="filters">
        <Search label="Search by name" name="name" />
        <PickerFilter label="Category" name="categoryId" input={CategoryInput} />
        <Filter label="Order" name="sort" options={sorts} />
      </search>
      {data && <Outdated error={error} retry={again} />}
      {data && (
        <News types={eventTypes} isListed={isListed} shown={pets.map(({ id }) => `pet:${id}`)} show={again} />
      )}
      {error && !data ? (
        <Failed error={error} retry={again} what="The pets could not be loaded" />
      ) : !data ? (
        <Loading lines={9} />
      ) : (
        <>
          {pets.length === 0 ? (
            <div className="card">
              {name || categoryId ? (
                <Empty title="No pets match your search">
                  <p>
                    {data.pets.pageInfo.hasNextPage
                      ? 'No matches in the first 50,000 pets. The next page keeps searching.'
                      : 'Try a different name, category or status.'}
                  </p>
                </Empty>
              ) : (
                <Empty
                  title={
                    status
                      ? `No ${status} pets`
                      : isEmptied
                        ? 'No pets left on this page'
                        : 'The store is empty'
                  }
                >
                  <p>
                    {status
                      ? 'Choose another status to see the others.'
                      : isEmptied
                        ? 'See another page for the others.'
                        : 'Add the first pet here, or over REST or GraphQL.'}
                  </p>
                  {!status && !isEmptied && onAdd && <Button onClick={onAdd}>Add pet</Button>}
                </Empty>
              )}
            </div>
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
          <Pager paging={paging} info={data.pets.pageInfo} />
        </>
      )}
      {doing?.act === 'edit' && <EditPet pet={doing.pet} onChanged={repin} onClose={close} />}
      {doing?.act === 'order' && <PlaceOrder pet={doing.pet} onPlaced={repin} onClose={close} />}
    </section>
  )
}

/** Puts a pet that was just added first; sorted by id it would be on the last page. */
function withAdded(pets: PetRowFragment[], added: PetRowFragment | null): PetRowFragment[] {
  return !added || pets.some(({ id }) => id === added.id) ? pets : [added, ...pets]
}
