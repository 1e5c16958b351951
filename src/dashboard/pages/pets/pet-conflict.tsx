import { useQuery } from '../../app/operations.ts'
import { type PetRowFragment, PetVersionDocument } from '../../generated/pages/graphql.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import type { PetDraft } from './pet-fields.tsx'

type Props = {
  id: string
  mine: PetDraft
  onTheirs(theirs: PetRowFragment): void
  onMine(theirs: PetRowFragment): void
}

const rows = [
  ['name', 'Name'],
  ['categoryId', 'Category'],
  ['status', 'Status'],
] as const

/** Shows what the reader typed beside the version that someone else saved. */
export function PetConflict({ id, mine, onTheirs, onMine }: Props) {
  const [{ data, error }] = useQuery({
    query: PetVersionDocument,
    variables: { id },
    requestPolicy: 'network-only',
  })
  if (error) return <Failed error={error} what="The latest version could not be loaded" />
  if (!data) return <Loading lines={3} />
  const theirs = data.node as PetRowFragment
  const differing = rows.filter(([field]) => mine[field].trim() !== (theirs[field] ?? ''))
  return (
    <Notice tone="wait" title="Someone else edited this pet" alert>
      {differing.length === 0 ? (
        <p>The latest version is what you entered.</p>
      ) : (
        <table className="versions">
          <thead>
            <tr>
              <th scope="col">
                <span className="sr">Field</span>
              </th>
              <th scope="col">Yours</th>
              <th scope="col">Latest</th>
            </tr>
          </thead>
          <tbody>
            {differing.map(([field, label]) => (
              <tr key={field}>
                <th scope="row">{label}</th>
                <td className="break">{mine[field] || 'Not set'}</td>
                <td className="break">{theirs[field] ?? 'Not set'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className="row">
        <Button onClick={() => onMine(theirs)}>Save mine</Button>
        <Button onClick={() => onTheirs(theirs)}>Use the latest</Button>
      </div>
    </Notice>
  )
}
