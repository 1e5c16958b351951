import type { PetRowFragment } from '../../generated/graphql.ts'
import { useMark } from '../../ui/announce.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'

type Props = {
  pets: PetRowFragment[]
  page: number
  back: (() => void) | null
  on: (() => void) | null
}
const tones = { available: 'good', pending: 'wait', sold: 'still' } as const

export function PetsTable({ pets, page, back, on }: Props) {
  return (
    <>
      <div className="card flush">
        <section className="table-frame" aria-label="Pets on this page" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Status</th>
                <th scope="col" className="num">
                  Category
                </th>
                <th scope="col" className="num wide">
                  Id
                </th>
              </tr>
            </thead>
            <tbody>
              {pets.map(pet => (
                <Row key={pet.id} pet={pet} />
              ))}
            </tbody>
          </table>
        </section>
      </div>
      <nav className="row spread" aria-label="Pages">
        <Pager label="Previous" go={back} />
        <span className="soft small" role="status">
          Page {page}
        </span>
        <Pager label="Next" go={on} />
      </nav>
    </>
  )
}

function Row({ pet }: { pet: PetRowFragment }) {
  return (
    <tr {...useMark(pet.id)}>
      <th scope="row" className="name">
        {pet.name}
        <span className="small soft under narrow">Id {pet.id}</span>
      </th>
      <td>
        {pet.status ? (
          <Badge tone={tones[pet.status]}>{pet.status}</Badge>
        ) : (
          <span className="soft">not set</span>
        )}
      </td>
      <td className="num soft">{pet.categoryId}</td>
      <td className="num soft wide">{pet.id}</td>
    </tr>
  )
}

const Pager = ({ label, go }: { label: string; go: (() => void) | null }) => (
  <Button onClick={go ?? undefined} aria-disabled={go === null || undefined}>
    {label}
  </Button>
)
