import type { PetRowFragment } from '../../generated/graphql.ts'
import { useMark } from '../../ui/announce.tsx'
import { Badge } from '../../ui/badge.tsx'

const tones = { available: 'good', pending: 'wait', sold: 'still' } as const

export function PetsTable({ pets }: { pets: PetRowFragment[] }) {
  return (
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
