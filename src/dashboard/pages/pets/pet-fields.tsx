import type { PetStatus } from '../../../generated/contract.ts'
import { Choice, Field } from '../../ui/field.tsx'

export type PetDraft = { name: string; categoryId: string; status: PetStatus | '' }

export const petWords = {
  name: 'Enter a name of at most 255 characters.',
  categoryId: 'Enter the number of a category, such as 7.',
  status: 'Choose one of these.',
}

type Props = {
  draft: PetDraft
  onChange(draft: PetDraft): void
  beside: Partial<Record<keyof typeof petWords, string>>
}

/** Validates nothing here: the store validates the input, and its faults are shown beside the fields. */
export function PetFields({ draft, onChange, beside }: Props) {
  return (
    <>
      <Field
        label="Name"
        autoFocus
        value={draft.name}
        onChange={event => onChange({ ...draft, name: event.target.value })}
        error={beside.name}
        autoComplete="off"
      />
      <Field
        label="Category"
        inputMode="numeric"
        value={draft.categoryId}
        onChange={event => onChange({ ...draft, categoryId: event.target.value })}
        error={beside.categoryId}
        hint="Category number. It doesn’t have to exist yet."
        autoComplete="off"
      />
      <Choice
        label="Status"
        value={draft.status}
        onChange={event => onChange({ ...draft, status: event.target.value as PetStatus | '' })}
        error={beside.status}
      >
        <option value="">Not set</option>
        <option value="available">Available</option>
        <option value="pending">Pending</option>
        <option value="sold">Sold</option>
      </Choice>
    </>
  )
}
