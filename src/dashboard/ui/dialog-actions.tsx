import { Button } from './button.tsx'

type Props = {
  /** The way out. */
  out?: string
  onClose(): void
  act: string
  /** What the act is called while it runs. */
  acting: string
  busy: boolean
  isDangerous?: boolean
}

/** How a dialog ends: by its way out, or by its act. */
export function DialogActions({ out = 'Cancel', onClose, act, acting, busy, isDangerous = false }: Props) {
  return (
    <div className="actions">
      <Button onClick={onClose}>{out}</Button>
      <Button kind={isDangerous ? 'danger' : 'primary'} type="submit" busy={busy}>
        {busy ? acting : act}
      </Button>
    </div>
  )
}
