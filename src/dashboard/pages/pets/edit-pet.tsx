import { useDraft } from '../../app/draft.ts'
import { useMutation } from '../../app/operations.ts'
import { faultsOf, problemOf } from '../../app/problem.ts'
import { type PetRowFragment, UpdatePetDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Restored } from '../../ui/restored.tsx'
import { Failed } from '../../ui/states.tsx'
import { notUndone } from './pet-acts.ts'
import { PetConflict } from './pet-conflict.tsx'
import { type PetDraft, PetFields, petWords } from './pet-fields.tsx'

type Props = {
  pet: PetRowFragment
  onClose(): void
}

const fieldsOf = ({ name, categoryId, status }: PetRowFragment): PetDraft => ({
  name,
  categoryId,
  status: status ?? '',
})

/** Saves only if the pet has not changed since the form was opened. */
export function EditPet({ pet, onClose }: Props) {
  const [{ fetching, error }, update] = useMutation(UpdatePetDocument)
  // `from` is the version that the reader edits. A draft that is restored later must not overwrite a newer version of
  // the pet.
  const [{ from, fields }, setDraft, draftState] = useDraft(`pet ${pet.id}`, () => ({
    from: pet,
    fields: fieldsOf(pet),
  }))
  const announce = useAnnounce()
  const { beside, elsewhere } = faultsOf(error, petWords)
  const isChangedMeanwhile = elsewhere && problemOf(elsewhere).code === 'precondition_failed'

  const cancel = () => {
    draftState.forget()
    onClose()
  }
  /** Saves the fields if `base` is still the pet's version. Undo restores that version. */
  const save = async (base: PetRowFragment) => {
    if (fetching) return
    const input = { ...fields, id: pet.id, status: fields.status || null, ifMatch: base.etag }
    const { data } = await update({ input })
    if (!data) return
    const { pet: changed } = data.petUpdate
    const undo = async () => {
      const before = { ...fieldsOf(base), id: pet.id, status: base.status, ifMatch: changed.etag }
      const { error: failed } = await update({ input: before })
      if (failed) throw notUndone(failed)
      return t.pets.nameIsAsItWas(base.name)
    }
    announce(t.pets.changedName(changed.name), pet.id, { undo })
    cancel()
  }
  return (
    <Dialog title={t.pets.editName(pet.name)} onClose={onClose} onSubmit={() => void save(from)}>
      <Restored {...draftState} />
      <PetFields draft={fields} onChange={changed => setDraft({ from, fields: changed })} beside={beside} />
      {isChangedMeanwhile && (
        <PetConflict
          id={pet.id}
          mine={fields}
          onTheirs={theirs => setDraft({ from: theirs, fields: fieldsOf(theirs) })}
          onMine={theirs => void save(theirs)}
          onClose={cancel}
        />
      )}
      {elsewhere && !isChangedMeanwhile && <Failed error={elsewhere} what={t.pets.petCouldNotBeChanged} />}
      <DialogActions onClose={cancel} act={t.pets.save} acting={t.pets.saving} busy={fetching} />
    </Dialog>
  )
}
