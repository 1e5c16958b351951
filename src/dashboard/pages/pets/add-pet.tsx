import { useState } from 'react'
import { useMutation } from '../../app/operations.ts'
import { faultsOf } from '../../app/problem.ts'
import { randomKey } from '../../app/random-key.ts'
import { CreatePetDocument, type PetRowFragment, type PetStatus } from '../../generated/graphql.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Failed } from '../../ui/states.tsx'

const petWords = {
  name: 'Enter a name of at most 255 characters.',
  categoryId: 'Enter the number of a category, such as 7.',
  status: 'Choose one of these.',
}

/** The rules are the store's: the form sends what was typed and shows what the store says to each field. */
export function AddPet({ onAdded, onClose }: { onAdded(pet: PetRowFragment): void; onClose(): void }) {
  const [{ fetching, error }, create] = useMutation(CreatePetDocument)
  const [name, setName] = useState('')
  const [categoryId, setCategoryId] = useState('')
  const [status, setStatus] = useState('')
  // One creation however often a slow network makes one press the button.
  const [idempotencyKey, setIdempotencyKey] = useState(() => randomKey())
  const announce = useAnnounce()
  const { beside, elsewhere } = faultsOf(error, petWords)

  const change = (set: (value: string) => void) => (event: { target: { value: string } }) => {
    set(event.target.value)
    setIdempotencyKey(randomKey())
  }
  const submit = async () => {
    if (fetching) return
    const input = { name, categoryId, status: (status || null) as PetStatus | null }
    const { data } = await create(
      { input, idempotencyKey },
      { additionalTypenames: ['Pet', 'PetConnection'] },
    )
    if (!data) return
    const pet = data.createPet
    announce(`Added ${pet.name} with the id ${pet.id}.`, pet.id)
    onAdded(pet)
    onClose()
  }
  return (
    <Dialog title="Add pet" onClose={onClose} onSubmit={submit}>
      <Field
        label="Name"
        autoFocus
        value={name}
        onChange={change(setName)}
        error={beside.name}
        autoComplete="off"
      />
      <Field
        label="Category"
        inputMode="numeric"
        value={categoryId}
        onChange={change(setCategoryId)}
        error={beside.categoryId}
        hint="A whole number; it needs no category of that number."
        autoComplete="off"
      />
      <Choice label="Status" value={status} onChange={change(setStatus)} error={beside.status}>
        <option value="">Not set</option>
        <option value="available">Available</option>
        <option value="pending">Pending</option>
        <option value="sold">Sold</option>
      </Choice>
      {elsewhere && <Failed error={elsewhere} what="The pet could not be added" />}
      <div className="actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" busy={fetching}>
          {fetching ? 'Adding…' : 'Add pet'}
        </Button>
      </div>
    </Dialog>
  )
}
