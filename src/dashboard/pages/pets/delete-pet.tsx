import { useMutation } from '../../app/operations.ts'
import { problemOf } from '../../app/problem.ts'
import { DeletePetDocument, type PetRowFragment } from '../../generated/pages/graphql.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../../ui/states.tsx'

type Props = {
  pet: PetRowFragment
  onDeleted(): void
  /** Reloads the pet. */
  onLook(): void
  onClose(): void
}

/** Deletes only if the pet is still as it was shown. */
export function DeletePet({ pet, onDeleted, onLook, onClose }: Props) {
  const [{ fetching, error }, remove] = useMutation(DeletePetDocument)
  const announce = useAnnounce()
  const isChangedMeanwhile = error && problemOf(error).code === 'precondition_failed'
  const submit = async () => {
    if (fetching) return
    const { data } = await remove(
      { input: { id: pet.id, ifMatch: pet.etag } },
      { additionalTypenames: ['Pet', 'PetConnection'] },
    )
    if (!data) return
    announce(`Deleted ${pet.name}.`)
    onDeleted()
    onClose()
  }
  return (
    <Dialog title={`Delete ${pet.name}?`} onClose={onClose} onSubmit={submit}>
      <p>Pet {pet.id} will be permanently deleted.</p>
      {isChangedMeanwhile && (
        <Notice tone="wait" title="Someone else edited this pet" alert>
          <p>It wasn’t deleted. Review the latest version first.</p>
          <div>
            <Button
              onClick={() => {
                onLook()
                onClose()
              }}
            >
              View latest
            </Button>
          </div>
        </Notice>
      )}
      {error && !isChangedMeanwhile && <Failed error={error} what="The pet could not be deleted" />}
      <DialogActions onClose={onClose} act="Delete" acting="Deleting…" busy={fetching} isDangerous />
    </Dialog>
  )
}
