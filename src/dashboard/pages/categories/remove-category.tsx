import { useMutation } from '../../app/operations.ts'
import { type CategoryRowFragment, RemoveCategoryDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Failed } from '../../ui/states.tsx'

export function RemoveCategory({ category, onClose }: { category: CategoryRowFragment; onClose(): void }) {
  const [{ fetching, error }, remove] = useMutation(RemoveCategoryDocument)
  const { categoryId, name } = category
  const announce = useAnnounce()
  const submit = async () => {
    if (fetching) return
    const { data } = await remove(
      { input: { id: category.id } },
      { additionalTypenames: ['Category', 'CategoryConnection', 'Pet'] },
    )
    if (!data) return
    announce(t.categories.removedName(name))
    onClose()
  }
  return (
    <Dialog title={t.categories.removeName(name)} onClose={onClose} onSubmit={submit}>
      <p>{t.categories.itsPetsStayAndKeep(categoryId)}</p>
      {error && <Failed error={error} what={t.categories.categoryCouldNotBeRemoved} />}
      <DialogActions
        onClose={onClose}
        act={t.categories.remove}
        acting={t.categories.removing}
        busy={fetching}
        isDangerous
      />
    </Dialog>
  )
}
