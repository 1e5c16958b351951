import { useDraft } from '../../app/draft.ts'
import { askAgain } from '../../app/live.ts'
import { useMutation } from '../../app/operations.ts'
import { faultsOf, problemOf } from '../../app/problem.ts'
import { type CategoryRowFragment, SetCategoryDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
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
  // `etag` is of the name that the reader edits. A draft that is restored later must not overwrite a newer name.
  const [draft, setDraft, draftState] = useDraft(category?.id ?? 'add category', () => ({
    etag: category?.etag ?? null,
    number: category?.categoryId ?? '',
    name: category?.name ?? '',
  }))
  const { etag, number, name } = draft
  const announce = useAnnounce()
  // The store answers `category_not_found` for a text that is not a number.
  const isNoNumber = error !== undefined && problemOf(error).code === 'category_not_found'
  const isChangedMeanwhile = error !== undefined && problemOf(error).code === 'precondition_failed'
  const { beside, elsewhere } = faultsOf(error, words)

  const cancel = () => {
    draftState.forget()
    onClose()
  }
  const submit = async () => {
    if (fetching) return
    const { data } = await set(
      { input: { id: `category_${number.trim()}`, name, ifMatch: etag } },
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
  const look = () => {
    askAgain()
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
      {isChangedMeanwhile && (
        <Notice tone="wait" title={t.categories.someoneElseChangedThis} alert>
          <p>{t.categories.yourNameIsNot}</p>
          <div>
            <Button onClick={look}>{t.categories.viewLatest}</Button>
          </div>
        </Notice>
      )}
      {elsewhere && !isNoNumber && !isChangedMeanwhile && (
        <Failed error={elsewhere} what={t.categories.categoryCouldNotBeNamed} />
      )}
      <DialogActions onClose={cancel} act={t.categories.save} acting={t.categories.saving} busy={fetching} />
    </Dialog>
  )
}
