import { useMutation } from '../../app/operations.ts'
import { type CategoryRowFragment, RemoveCategoryDocument } from '../../generated/pages/graphql.ts'
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
    announce(`Removed ${name}.`)
    onClose()
  }
  return (
    <Dialog title={`Remove ${name}?`} onClose={onClose} onSubmit={submit}>
      <p>Its pets stay, and keep the number {categoryId}, which then has no name.</p>
      {error && <Failed error={error} what="The category could not be removed" />}
      <DialogActions onClose={onClose} act="Remove" acting="Removing…" busy={fetching} isDangerous />
    </Dialog>
  )
}
