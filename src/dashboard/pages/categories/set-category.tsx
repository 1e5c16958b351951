import { useDraft } from '../../app/draft.ts'
import { useMutation } from '../../app/operations.ts'
import { faultsOf, problemOf } from '../../app/problem.ts'
import { type CategoryRowFragment, SetCategoryDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Field } from '../../ui/field.tsx'
import { Restored } from '../../ui/restored.tsx'
import { Failed } from '../../ui/states.tsx'

const words = { name: t.categories.enterNameOfAtMost }

/** Renames the given category, or names the category whose number is typed in. */
export function SetCategory({
  category,
  onClose,
}: {
  category: CategoryRowFragment | null
  onClose(): void
}) {
  const [{ fetching, error }, set] = useMutation(SetCategoryDocument)
  const [draft, setDraft, draftState] = useDraft(category?.id ?? 'add category', () => ({
    number: category?.categoryId ?? '',
    name: category?.name ?? '',
  }))
  const { number, name } = draft
  const announce = useAnnounce()
  // The store answers `category_not_found` for a text that is not a number.
  const isNoNumber = error !== undefined && problemOf(error).code === 'category_not_found'
  const { beside, elsewhere } = faultsOf(error, words)

  const cancel = () => {
    draftState.forget()
    onClose()
  }
  const submit = async () => {
    if (fetching) return
    const { data } = await set(
      { input: { id: `category_${number.trim()}`, name } },
      { additionalTypenames: ['CategoryConnection', 'Pet'] },
    )
    if (!data) return
    const { id, name: named, categoryId } = data.categorySet.category
    announce(
      category
        ? t.categories.renamedNameToNamed(category.name, named)
        : t.categories.namedCategoryCategoryIdNamed(categoryId, named),
      id,
    )
    cancel()
  }
  return (
    <Dialog
      title={category ? t.categories.renameName(category.name) : t.categories.addCategory}
      onClose={onClose}
      onSubmit={submit}
    >
      <Restored {...draftState} />
      {!category && (
        <Field
          label={t.categories.numberLabel}
          autoFocus
          inputMode="numeric"
          value={number}
          onChange={event => setDraft({ ...draft, number: event.target.value })}
          error={isNoNumber ? t.categories.enterNumberOfCategorySuch : undefined}
          hint={t.categories.numberThatItsPetsHave}
          autoComplete="off"
        />
      )}
      <Field
        label={t.categories.name}
        autoFocus={category !== null}
        value={name}
        onChange={event => setDraft({ ...draft, name: event.target.value })}
        error={beside.name}
        autoComplete="off"
      />
      {elsewhere && !isNoNumber && <Failed error={elsewhere} what={t.categories.categoryCouldNotBeNamed} />}
      <DialogActions onClose={cancel} act={t.categories.save} acting={t.categories.saving} busy={fetching} />
    </Dialog>
  )
}
