import type { PetStatus } from '../../../generated/contract.ts'
import { CategoryInput } from '../../ui/category-input.tsx'
import { Choice, Field, FieldAround } from '../../ui/field.tsx'

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
      <FieldAround
        label="Category"
        hint="Choose a category by its name, or enter another number."
        error={beside.categoryId}
      >
        {input => (
          <CategoryInput
            {...input}
            value={draft.categoryId}
            onChange={categoryId => onChange({ ...draft, categoryId })}
          />
        )}
      </FieldAround>
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
