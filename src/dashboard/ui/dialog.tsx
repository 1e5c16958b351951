import { type FormEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'

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
  // The next step of a dialog has another title. If the step replaced the focused button, the browser has moved the
  // focus to the body.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) dialog.current?.focus()
  }, [title])
  useEffect(() => {
    const shown = dialog.current
    const opener = document.activeElement
    if (!shown?.open) shown?.showModal()
    return () => {
      shown?.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  // Listen on the document, because the browser moves the focus to the body if the focused element disappears.
  useEffect(() => {
    const press = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && [...document.querySelectorAll('dialog')].at(-1) === dialog.current) onEscape()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })

  // After a refused submit, focus the first field with a fault, unless the reader has moved the focus since.
  const submittedFrom = useRef<Element>(null)
  useEffect(() => {
    if (submittedFrom.current !== document.activeElement) return
    const faulty = dialog.current?.querySelector<HTMLElement>('[aria-invalid]')
    if (!faulty) return
    submittedFrom.current = null
    faulty.focus()
  })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    submittedFrom.current = document.activeElement
    onSubmit?.()
  }
  const heading = <h2 id={titleId}>{title}</h2>
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={titleId}
      tabIndex={-1}
      // Chromium closes a dialog on the second Escape, even if a listener prevents the event `cancel`. With `closedby`
      // set to `none`, Chromium does not close the dialog.
      {...{ closedby: 'none' }}
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
