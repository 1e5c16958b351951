import type { PetStatus } from '../../../generated/contract.ts'
import { t } from '../../texts/pages.ts'
import { CategoryInput } from '../../ui/category-input.tsx'
import { Choice, Field, FieldAround } from '../../ui/field.tsx'

export type PetDraft = { name: string; categoryId: string; status: PetStatus | '' }

export const petWords = {
  name: t.pets.enterNameOfAtMost,
  categoryId: t.pets.enterNumberOfCategorySuch,
  status: t.pets.chooseOneOfThese,
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
        label={t.pets.name}
        autoFocus
        value={draft.name}
        onChange={event => onChange({ ...draft, name: event.target.value })}
        error={beside.name}
        autoComplete="off"
      />
      <FieldAround label={t.pets.category} hint={t.pets.chooseCategoryByItsName} error={beside.categoryId}>
        {input => (
          <CategoryInput
            {...input}
            value={draft.categoryId}
            onChange={categoryId => onChange({ ...draft, categoryId })}
          />
        )}
      </FieldAround>
      <Choice
        label={t.pets.status}
        value={draft.status}
        onChange={event => onChange({ ...draft, status: event.target.value as PetStatus | '' })}
        error={beside.status}
      >
        <option value="">{t.pets.notSetInCell}</option>
        <option value="available">{t.pets.available}</option>
        <option value="pending">{t.pets.pending}</option>
        <option value="sold">{t.pets.sold}</option>
      </Choice>
    </>
  )
}
