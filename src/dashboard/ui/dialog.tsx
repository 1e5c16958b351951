import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react'

type Props = {
  title: string
  onClose(): void
  /** Called on Escape instead of `onClose`. */
  onEscape?: () => void
  onSubmit?: () => void
  children: ReactNode
}

/** The browser's modal dialog, which keeps the focus inside and restores it on closing. */
export function Dialog({ title, onClose, onEscape = onClose, onSubmit, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const shown = dialog.current
    const opener = document.activeElement
    if (!shown?.open) shown?.showModal()
    return () => {
      shown?.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit?.()
  }
  const heading = <h2 id={titleId}>{title}</h2>
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={titleId}
      // Chromium closes a dialog on the second Escape, even if a listener prevents the event `cancel`. With `closedby`
      // set to `none`, Chromium does not close the dialog.
      {...{ closedby: 'none' }}
      onKeyDown={event => {
        if (event.key === 'Escape') onEscape()
      }}
      onCancel={event => event.preventDefault()}
    >
      {onSubmit ? (
        <form onSubmit={submit} noValidate>
          {heading}
          {children}
        </form>
      ) : (
        <div className="inside">
          {heading}
          {children}
        </div>
      )}
    </dialog>
  )
}
