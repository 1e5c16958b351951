import { useState } from 'react'
import { useDraft } from '../../app/draft.ts'
import { useMutation } from '../../app/operations.ts'
import { faultsOf } from '../../app/problem.ts'
import { randomKey } from '../../app/random-key.ts'
import { CreatePetDocument, type PetRowFragment } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Restored } from '../../ui/restored.tsx'
import { Failed } from '../../ui/states.tsx'
import { type PetDraft, PetFields, petWords } from './pet-fields.tsx'

export function AddPet({ onAdded, onClose }: { onAdded(pet: PetRowFragment): void; onClose(): void }) {
  const [{ fetching, error }, create] = useMutation(CreatePetDocument)
  const [draft, setDraft, draftState] = useDraft<PetDraft>('add pet', () => ({
    name: '',
    categoryId: '',
    status: '',
  }))
  // One key for all attempts, so that a second click on a slow network does not add a second pet.
  const [idempotencyKey, setIdempotencyKey] = useState(() => randomKey())
  const announce = useAnnounce()
  const { beside, elsewhere } = faultsOf(error, petWords)

  const change = (changed: PetDraft) => {
    setDraft(changed)
    setIdempotencyKey(randomKey())
  }
  const cancel = () => {
    draftState.forget()
    onClose()
  }
  const submit = async () => {
    if (fetching) return
    const input = { ...draft, status: draft.status || null, idempotencyKey }
    const { data } = await create({ input }, { additionalTypenames: ['Pet', 'PetConnection'] })
    if (!data) return
    const { pet } = data.petCreate
    announce(t.pets.addedNameWithIdId(pet.name, pet.id), pet.id)
    onAdded(pet)
    cancel()
  }
  return (
    <Dialog title={t.pets.addPet} onClose={onClose} onSubmit={submit}>
      <Restored {...draftState} />
      <PetFields draft={draft} onChange={change} beside={beside} />
      {elsewhere && <Failed error={elsewhere} what={t.pets.petCouldNotBeAdded} />}
      <DialogActions onClose={cancel} act={t.pets.addPet} acting={t.pets.adding} busy={fetching} />
    </Dialog>
  )
}
