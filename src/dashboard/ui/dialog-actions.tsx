import { t } from '../texts/pages.ts'
import { Button } from './button.tsx'

type Props = {
  /** Label of the cancel button; "Cancel" by default. */
  out?: string
  onClose(): void
  act: string
  /** Label of the action while it runs. */
  acting: string
  busy: boolean
  isDangerous?: boolean
}

/** The buttons at the end of a dialog. */
export function DialogActions({ isDangerous = false, out = t.ui.cancel, onClose, act, acting, busy }: Props) {
  return (
    <div className="actions">
      <Button onClick={onClose}>{out}</Button>
      <Button kind={isDangerous ? 'danger' : 'primary'} type="submit" busy={busy}>
        {busy ? acting : act}
      </Button>
    </div>
  )
}
