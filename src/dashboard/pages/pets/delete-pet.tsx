import { useMutation } from '../../app/operations.ts'
import { DeletePetDocument, type PetRowFragment } from '../../generated/pages/graphql.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Failed } from '../../ui/states.tsx'

type Props = { pet: PetRowFragment; onDeleted(): void; onClose(): void }

export function DeletePet({ pet, onDeleted, onClose }: Props) {
  const [{ fetching, error }, remove] = useMutation(DeletePetDocument)
  const announce = useAnnounce()
  const submit = async () => {
    if (fetching) return
    const { data } = await remove(
      { input: { id: pet.id } },
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
      {error && <Failed error={error} what="The pet could not be deleted" />}
      <DialogActions onClose={onClose} act="Delete" acting="Deleting…" busy={fetching} isDangerous />
    </Dialog>
  )
}
