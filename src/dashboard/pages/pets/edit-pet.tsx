import { useState } from 'react'
import { useMutation } from '../../app/operations.ts'
import { faultsOf, problemOf } from '../../app/problem.ts'
import { type PetRowFragment, UpdatePetDocument } from '../../generated/pages/graphql.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../../ui/states.tsx'
import { type PetDraft, PetFields, petWords } from './pet-fields.tsx'

type Props = {
  pet: PetRowFragment
  onChanged(pet: PetRowFragment): void
  /** Reloads the pet. */
  onLook(): void
  onClose(): void
}

/** Saves only if the pet has not changed since the form was opened. */
export function EditPet({ pet, onChanged, onLook, onClose }: Props) {
  const [{ fetching, error }, update] = useMutation(UpdatePetDocument)
  const [draft, setDraft] = useState<PetDraft>({
    name: pet.name,
    categoryId: pet.categoryId,
    status: pet.status ?? '',
  })
  const announce = useAnnounce()
  const { beside, elsewhere } = faultsOf(error, petWords)
  const isChangedMeanwhile = elsewhere && problemOf(elsewhere).code === 'precondition_failed'

  const submit = async () => {
    if (fetching) return
    const input = { ...draft, id: pet.id, status: draft.status || null, ifMatch: pet.etag }
    const { data } = await update({ input })
    if (!data) return
    const { pet: changed } = data.petUpdate
    announce(`Changed ${changed.name}.`, pet.id)
    onChanged(changed)
    onClose()
  }
  const look = () => {
    onLook()
    onClose()
  }
  return (
    <Dialog title={`Edit ${pet.name}`} onClose={onClose} onSubmit={submit}>
      <PetFields draft={draft} onChange={setDraft} beside={beside} />
      {isChangedMeanwhile && (
        <Notice tone="wait" title="Someone else edited this pet" alert>
          <p>Your changes weren’t saved. Review the latest version and try again.</p>
          <div>
            <Button onClick={look}>View latest</Button>
          </div>
        </Notice>
      )}
      {elsewhere && !isChangedMeanwhile && <Failed error={elsewhere} what="The pet could not be changed" />}
      <DialogActions onClose={onClose} act="Save" acting="Saving…" busy={fetching} />
    </Dialog>
  )
}
