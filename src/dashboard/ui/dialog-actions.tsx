import { Button } from './button.tsx'

type Props = {
  /** The way out, where the usual words would not do. */
  out?: string
  onClose(): void
  act: string
  /** What the act is called while it runs. */
  acting: string
  busy: boolean
  isDangerous?: boolean
}

/** How a dialog ends: by its way out, or by its act. */
export function DialogActions({
  isDangerous = false,
  out = isDangerous ? 'Keep it' : 'Cancel',
  onClose,
  act,
  acting,
  busy,
}: Props) {
  return (
    <div className="actions">
      <Button onClick={onClose}>{out}</Button>
      <Button kind={isDangerous ? 'danger' : 'primary'} type="submit" busy={busy}>
        {busy ? acting : act}
      </Button>
    </div>
  )
}
