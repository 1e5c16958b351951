import { askAgain } from '../../app/live.ts'
import { useQuery } from '../../app/operations.ts'
import { type PetRowFragment, PetVersionDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import type { PetDraft } from './pet-fields.tsx'

type Props = {
  id: string
  mine: PetDraft
  onTheirs(theirs: PetRowFragment): void
  onMine(theirs: PetRowFragment): void
  onClose(): void
}

const rows = [
  ['name', t.pets.name],
  ['categoryId', t.pets.category],
  ['status', t.pets.status],
] as const

/** Shows what the reader typed beside the version that someone else saved. */
export function PetConflict({ id, mine, onTheirs, onMine, onClose }: Props) {
  const [{ data, error }] = useQuery({
    query: PetVersionDocument,
    variables: { id },
    requestPolicy: 'network-only',
  })
  if (error) return <Failed error={error} what={t.pets.latestVersionCouldNotBe} />
  if (!data) return <Loading lines={3} />
  const theirs = data.node as PetRowFragment
  const differing = rows.filter(([field]) => mine[field].trim() !== (theirs[field] ?? ''))
  if (differing.length === 0) {
    const close = () => {
      askAgain()
      onClose()
    }
    // For example, the reader's own change was saved, but its answer was lost.
    return (
      <Notice tone="good" title={t.pets.petIsAlreadyAsYou} alert>
        <div>
          <Button onClick={close}>{t.pets.close}</Button>
        </div>
      </Notice>
    )
  }
  return (
    <Notice tone="wait" title={t.pets.someoneElseEditedThisPet} alert>
      <table className="versions">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr">{t.pets.field}</span>
            </th>
            <th scope="col">{t.pets.yours}</th>
            <th scope="col">{t.pets.latest}</th>
          </tr>
        </thead>
        <tbody>
          {differing.map(([field, label]) => (
            <tr key={field}>
              <th scope="row">{label}</th>
              <td className="break">{mine[field] || t.pets.notSetInCell}</td>
              <td className="break">{theirs[field] ?? t.pets.notSetInCell}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="row">
        <Button onClick={() => onMine(theirs)}>{t.pets.saveMine}</Button>
        <Button onClick={() => onTheirs(theirs)}>{t.pets.useLatest}</Button>
      </div>
    </Notice>
  )
}
