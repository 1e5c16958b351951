import { useState } from 'react'
import { t } from '../../texts/pages.ts'
import { CategoryInput } from '../../ui/category-input.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { FieldAround } from '../../ui/field.tsx'
import { petWords } from './pet-fields.tsx'

type Props = { count: number; onMove(categoryId: string): Promise<void>; onClose(): void }

export function MoveToCategory({ count, onMove, onClose }: Props) {
  const [categoryId, setCategoryId] = useState('')
  const [isRefused, setIsRefused] = useState(false)
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    const isValid = isCategoryId(categoryId)
    setIsRefused(!isValid)
    if (!isValid || busy) return
    setBusy(true)
    await onMove(categoryId)
    onClose()
  }
  return (
    <Dialog title={t.pets.moveToCategory(count)} onClose={onClose} onSubmit={() => void submit()}>
      <FieldAround
        label={t.pets.category}
        hint={t.pets.chooseCategoryByItsName}
        error={isRefused ? petWords.categoryId : undefined}
      >
        {input => <CategoryInput {...input} autoFocus value={categoryId} onChange={setCategoryId} />}
      </FieldAround>
      <DialogActions onClose={onClose} act={t.pets.move} acting={t.pets.moving} busy={busy} />
    </Dialog>
  )
}

/** True for a 64-bit integer as the store writes it. Checked here, because the dialog closes even if the store refuses. */
const isCategoryId = (text: string) =>
  /^(0|-?[1-9]\d*)$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
