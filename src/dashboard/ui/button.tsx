import type { ButtonHTMLAttributes, ReactNode } from 'react'

type Kind = 'plain' | 'primary' | 'danger' | 'quiet'
type Props = {
  kind?: Kind
  /** The button's action is still running. */
  busy?: boolean
  /** The scope that the key lacks; the button names it instead of failing. */
  missing?: string | null
  children: ReactNode
} & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'>

/** Stays focusable while disabled, so that keyboard and screen reader users learn why. */
export function Button({ kind = 'plain', busy = false, missing = null, children, onClick, ...rest }: Props) {
  const idle = !busy && missing === null && rest['aria-disabled'] !== true
  return (
    <button
      type="button"
      {...rest}
      className={`button ${kind} ${rest.className ?? ''}`}
      aria-disabled={!idle || undefined}
      title={missing === null ? rest.title : `Needs the scope ${missing}`}
      onClick={event => {
        if (idle) onClick?.(event)
        else event.preventDefault()
      }}
    >
      {children}
      {missing !== null && <span className="sr"> (needs the scope {missing})</span>}
      {busy && <span className="sr"> (in progress)</span>}
    </button>
  )
}
