import { useState } from 'react'
import { useDraft } from '../../app/draft.ts'
import { useMutation } from '../../app/operations.ts'
import { faultsOf, problemOf } from '../../app/problem.ts'
import { randomKey } from '../../app/random-key.ts'
import { type PetRowFragment, PlaceOrderDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Field, FieldAround } from '../../ui/field.tsx'
import { PetInput } from '../../ui/pet-input.tsx'
import { Restored } from '../../ui/restored.tsx'
import { Failed } from '../../ui/states.tsx'

const words = {
  petId: t.pets.choosePetFromListOr,
  reference: t.pets.enterAtMost100Characters,
  note: t.pets.enterAtMost1000,
}
type Props = {
  /** Null if the form asks for the pet. */
  pet: PetRowFragment | null
  onClose(): void
}

export function PlaceOrder({ pet, onClose }: Props) {
  const [{ fetching, error }, place] = useMutation(PlaceOrderDocument)
  const [draft, setDraft, draftState] = useDraft(`order pet ${pet?.id ?? ''}`, () => ({
    petId: pet?.id ?? '',
    reference: '',
    note: '',
  }))
  // One idempotency key for all attempts, so that a second click on a slow network places no second order.
  const [idempotencyKey, setIdempotencyKey] = useState(() => randomKey())
  const announce = useAnnounce()
  const { beside, elsewhere } = faultsOf(error, words)

  /** True if the form asks for the pet, and no pet has the entered id. */
  const isNoPet = pet === null && error !== undefined && problemOf(error).code === 'pet_not_found'

  const change = (changed: Partial<typeof draft>) => {
    setDraft({ ...draft, ...changed })
    setIdempotencyKey(randomKey())
  }
  const cancel = () => {
    draftState.forget()
    onClose()
  }
  const submit = async () => {
    if (fetching) return
    const { petId, reference, note } = draft
    const input = { petId, reference: reference || null, note: note || null, idempotencyKey }
    const { data } = await place(
      { input },
      { additionalTypenames: ['Pet', 'PetConnection', 'Order', 'OrderConnection'] },
    )
    if (!data) return
    const { id, petName } = data.orderPlace.order
    announce(t.pets.placedOrderIdForPetName(id.replace('order_', ''), petName), pet?.id ?? id)
    cancel()
  }
  return (
    <Dialog
      title={pet ? t.pets.placeOrderForName(pet.name) : t.pets.newOrder}
      onClose={onClose}
      onSubmit={submit}
    >
      <p>{t.pets.petIsPendingUntilOrder}</p>
      <Restored {...draftState} />
      {!pet && (
        <FieldAround
          label={t.pets.pet}
          hint={t.pets.choosePetByPartOf}
          error={isNoPet ? t.pets.choosePetFromListOr : beside.petId}
        >
          {input => (
            <PetInput {...input} autoFocus value={draft.petId} onChange={petId => change({ petId })} />
          )}
        </FieldAround>
      )}
      <Field
        label={t.pets.reference}
        autoFocus={pet !== null}
        value={draft.reference}
        onChange={event => change({ reference: event.target.value })}
        error={beside.reference}
        hint={t.pets.yourOwnUniqueOrderReference}
        autoComplete="off"
      />
      <Field
        label={t.pets.note}
        value={draft.note}
        onChange={event => change({ note: event.target.value })}
        error={beside.note}
        hint={t.pets.optionalAnythingYoudLikeTo}
        autoComplete="off"
      />
      {elsewhere && !isNoPet && <Failed error={elsewhere} what={t.pets.orderCouldNotBePlaced} />}
      <DialogActions onClose={cancel} act={t.pets.placeOrder} acting={t.pets.placing} busy={fetching} />
    </Dialog>
  )
}
