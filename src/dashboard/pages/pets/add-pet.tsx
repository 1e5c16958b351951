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

/**
 * One idempotency key for all attempts to add this pet, so that a second attempt on a slow network does not add a second
 * pet, even if the form was closed and opened again.
 */
type Draft = PetDraft & { idempotencyKey: string }

export function AddPet({ onAdded, onClose }: { onAdded(pet: PetRowFragment): void; onClose(): void }) {
  const [{ fetching, error }, create] = useMutation(CreatePetDocument)
  const [draft, setDraft, draftState, latestDraft] = useDraft<Draft>('add pet', () => ({
    name: '',
    categoryId: '',
    status: '',
    idempotencyKey: randomKey(),
  }))
  const announce = useAnnounce()
  const { beside, elsewhere } = faultsOf(error, petWords)
  const [isOneOfMany, setIsOneOfMany] = useState(false)
  const [added, setAdded] = useState<PetRowFragment | null>(null)
  const [emptied, setEmptied] = useState(0)

  const change = (changed: PetDraft) => setDraft({ ...changed, idempotencyKey: randomKey() })
  const cancel = () => {
    draftState.forget()
    onClose()
  }
  const submit = async () => {
    if (fetching) return
    const input = { ...draft, status: draft.status || null }
    const { data } = await create({ input }, { additionalTypenames: ['Pet', 'PetConnection'] })
    if (!data) return
    const { pet } = data.petCreate
    onAdded(pet)
    if (isOneOfMany) {
      setAdded(pet)
      const latest = latestDraft()
      // The reader may have typed the next name already.
      if (latest.name !== draft.name) return
      setEmptied(emptied + 1)
      return change({ ...latest, name: '' })
    }
    announce(t.pets.addedNameWithIdId(pet.name, pet.id), pet.id)
    cancel()
  }
  return (
    <Dialog title={t.pets.addPet} onClose={onClose} onSubmit={submit}>
      <Restored {...draftState} />
      {/* With the key, the next pet's form begins at its name. */}
      <PetFields key={emptied} draft={draft} onChange={change} beside={beside} />
      <div className="check">
        <input
          id="add-another"
          type="checkbox"
          checked={isOneOfMany}
          onChange={event => setIsOneOfMany(event.target.checked)}
        />
        <label htmlFor="add-another">{t.pets.addAnother}</label>
      </div>
      <p className="small soft" role="status">
        {added && t.pets.addedNameWithIdId(added.name, added.id)}
      </p>
      {elsewhere && <Failed error={elsewhere} what={t.pets.petCouldNotBeAdded} />}
      <DialogActions onClose={cancel} act={t.pets.addPet} acting={t.pets.adding} busy={fetching} />
    </Dialog>
  )
}
