import { useState } from 'react'
import { useDraft } from '../../app/draft.ts'
import { useMutation } from '../../app/operations.ts'
import { faultsOf } from '../../app/problem.ts'
import { randomKey } from '../../app/random-key.ts'
import { type PetRowFragment, PlaceOrderDocument } from '../../generated/pages/graphql.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Field } from '../../ui/field.tsx'
import { Restored } from '../../ui/restored.tsx'
import { Failed } from '../../ui/states.tsx'

const words = {
  reference: 'Enter at most 100 characters.',
  note: 'Enter at most 1,000 characters.',
}
type Props = { pet: PetRowFragment; onPlaced(pet: PetRowFragment): void; onClose(): void }

export function PlaceOrder({ pet, onPlaced, onClose }: Props) {
  const [{ fetching, error }, place] = useMutation(PlaceOrderDocument)
  const [draft, setDraft, kept] = useDraft(`order pet ${pet.id}`, () => ({ reference: '', note: '' }))
  // One key for all attempts, so that a second click on a slow network places no second order.
  const [idempotencyKey, setIdempotencyKey] = useState(() => randomKey())
  const announce = useAnnounce()
  const { beside, elsewhere } = faultsOf(error, words)

  const change = (changed: Partial<typeof draft>) => {
    setDraft({ ...draft, ...changed })
    setIdempotencyKey(randomKey())
  }
  const cancel = () => {
    kept.forget()
    onClose()
  }
  const submit = async () => {
    if (fetching) return
    const { reference, note } = draft
    const input = { petId: pet.id, reference: reference || null, note: note || null, idempotencyKey }
    const { data } = await place(
      { input },
      { additionalTypenames: ['Pet', 'PetConnection', 'Order', 'OrderConnection'] },
    )
    if (!data) return
    const { id, petName, pet: ordered } = data.orderPlace.order
    announce(`Placed order ${id.replace('order_', '')} for ${petName}.`, pet.id)
    if (ordered) onPlaced(ordered)
    cancel()
  }
  return (
    <Dialog title={`Place an order for ${pet.name}`} onClose={onClose} onSubmit={submit}>
      <p>The pet is pending until the order is delivered or cancelled.</p>
      <Restored {...kept} />
      <Field
        label="Reference"
        autoFocus
        value={draft.reference}
        onChange={event => change({ reference: event.target.value })}
        error={beside.reference}
        hint="Your own unique order reference. Optional."
        autoComplete="off"
      />
      <Field
        label="Note"
        value={draft.note}
        onChange={event => change({ note: event.target.value })}
        error={beside.note}
        hint="Optional. Anything you’d like to note."
        autoComplete="off"
      />
      {elsewhere && <Failed error={elsewhere} what="The order could not be placed" />}
      <DialogActions onClose={cancel} act="Place order" acting="Placing…" busy={fetching} />
    </Dialog>
  )
}
