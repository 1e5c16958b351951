import { useState } from 'react'
import { useMutation } from '../../app/operations.ts'
import { faultsOf, problemOf } from '../../app/problem.ts'
import { type CategoryRowFragment, SetCategoryDocument } from '../../generated/pages/graphql.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Field } from '../../ui/field.tsx'
import { Failed } from '../../ui/states.tsx'

const words = { name: 'Enter a name of at most 100 characters.' }

/** Renames the given category, or names the category whose number is typed in. */
export function SetCategory({
  category,
  onClose,
}: {
  category: CategoryRowFragment | null
  onClose(): void
}) {
  const [{ fetching, error }, set] = useMutation(SetCategoryDocument)
  const [number, setNumber] = useState(category?.categoryId ?? '')
  const [name, setName] = useState(category?.name ?? '')
  const announce = useAnnounce()
  // The store answers `category_not_found` for a text that is not a number.
  const isNoNumber = error !== undefined && problemOf(error).code === 'category_not_found'
  const { beside, elsewhere } = faultsOf(error, words)

  const submit = async () => {
    if (fetching) return
    const { data } = await set(
      { input: { id: `category_${number.trim()}`, name } },
      { additionalTypenames: ['CategoryConnection', 'Pet'] },
    )
    if (!data) return
    const { id, name: named, categoryId } = data.categorySet.category
    announce(
      category ? `Renamed ${category.name} to ${named}.` : `Named category ${categoryId} ${named}.`,
      id,
    )
    onClose()
  }
  return (
    <Dialog title={category ? `Rename ${category.name}` : 'Add category'} onClose={onClose} onSubmit={submit}>
      {!category && (
        <Field
          label="Number"
          autoFocus
          inputMode="numeric"
          value={number}
          onChange={event => setNumber(event.target.value)}
          error={isNoNumber ? 'Enter the number of a category, such as 7.' : undefined}
          hint="The whole number that its pets bear. One that has a name gets this one instead."
          autoComplete="off"
        />
      )}
      <Field
        label="Name"
        autoFocus={category !== null}
        value={name}
        onChange={event => setName(event.target.value)}
        error={beside.name}
        autoComplete="off"
      />
      {elsewhere && !isNoNumber && <Failed error={elsewhere} what="The category could not be named" />}
      <DialogActions onClose={onClose} act="Save" acting="Saving…" busy={fetching} />
    </Dialog>
  )
}
