import { useState } from 'react'
import { useLiveQuery } from '../../app/live.ts'
import { useMissing } from '../../app/session.ts'
import { type PetRowFragment, type PetStatus, PetsDocument } from '../../generated/graphql.ts'
import { Button } from '../../ui/button.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { MissingScope } from '../../ui/missing-scope.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { AddPet } from './add-pet.tsx'
import { PetsTable } from './pets-table.tsx'

const pageSize = 20
const filters: { label: string; status: PetStatus | null }[] = [
  { label: 'All', status: null },
  { label: 'Available', status: 'available' },
  { label: 'Pending', status: 'pending' },
  { label: 'Sold', status: 'sold' },
]

export default function Pets() {
  const [adding, setAdding] = useState(false)
  const [added, setAdded] = useState<PetRowFragment | null>(null)
  const mayRead = useMissing('pets_read')
  const mayWrite = useMissing('pets_write')
  const add = (
    <Button kind="primary" missing={mayWrite} onClick={() => setAdding(true)}>
      <PlusIcon /> Add pet
    </Button>
  )
  return (
    <>
      <PageHead title="Pets" actions={add}>
        What the store has, by ascending id. Looking and adding count as requests of the plan.
      </PageHead>
      {mayRead === null ? (
        <Shelf added={added} onAdd={mayWrite === null ? () => setAdding(true) : null} />
      ) : (
        <MissingScope scope={mayRead} to="see the pets" />
      )}
      {adding && <AddPet onAdded={setAdded} onClose={() => setAdding(false)} />}
    </>
  )
}

function Shelf({ added, onAdd }: { added: PetRowFragment | null; onAdd: (() => void) | null }) {
  const [status, setStatus] = useState<PetStatus | null>(null)
  // The cursors that lead here, so that one can go back the same way.
  const [trail, setTrail] = useState<string[]>([])
  const variables = { first: pageSize, after: trail.at(-1) ?? null, status }
  const [{ data, error, fetching, stale }, ask] = useLiveQuery({ query: PetsDocument, variables })
  const show = (next: PetStatus | null) => {
    setStatus(next)
    setTrail([])
  }
  return (
    <section className="stack" aria-label="Pets" aria-busy={fetching || stale}>
      <fieldset className="segments">
        <legend className="sr">Show by status</legend>
        {filters.map(filter => (
          <button
            key={filter.label}
            type="button"
            aria-pressed={filter.status === status}
            onClick={() => show(filter.status)}
          >
            {filter.label}
          </button>
        ))}
      </fieldset>
      {error ? (
        <Failed
          error={error}
          retry={() => ask({ requestPolicy: 'network-only' })}
          what="The pets could not be loaded"
        />
      ) : !data ? (
        <Loading lines={9} />
      ) : data.pets.nodes.length === 0 && !added ? (
        <div className="card">
          <Empty title={status ? `No pet is ${status}` : 'The store is empty'}>
            <p>
              {status
                ? 'Choose another status to see the others.'
                : 'Add the first pet here, or over REST or GraphQL.'}
            </p>
            {!status && onAdd && <Button onClick={onAdd}>Add pet</Button>}
          </Empty>
        </div>
      ) : (
        <PetsTable
          pets={withAdded(data.pets.nodes, added)}
          page={trail.length + 1}
          back={trail.length > 0 ? () => setTrail(trail.slice(0, -1)) : null}
          on={
            data.pets.pageInfo.hasNextPage
              ? () => setTrail([...trail, data.pets.pageInfo.endCursor ?? ''])
              : null
          }
        />
      )}
    </section>
  )
}

/** A pet just added stands first until its own page is shown: by its id it would be on the last one. */
function withAdded(pets: PetRowFragment[], added: PetRowFragment | null): PetRowFragment[] {
  return !added || pets.some(({ id }) => id === added.id) ? pets : [added, ...pets]
}
