import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { t } from '../texts/index.ts'

type Kind = 'plain' | 'primary' | 'danger' | 'quiet'
type Props = {
  kind?: Kind
  /** True while the button's action runs. */
  busy?: boolean
  /** A scope that the key lacks. The button then shows the scope's name and does nothing. */
  missing?: string | null
  children: ReactNode
} & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'>

/** Stays focusable while disabled, so that keyboard and screen reader users can read the reason. */
export function Button({ kind = 'plain', busy = false, missing = null, children, onClick, ...rest }: Props) {
  const idle = !busy && missing === null && rest['aria-disabled'] !== true
  return (
    <button
      type="button"
      {...rest}
      className={`button ${kind} ${rest.className ?? ''}`}
      aria-disabled={!idle || undefined}
      title={missing === null ? rest.title : t.ui.needsScope(missing)}
      onClick={event => {
        if (idle) onClick?.(event)
        else event.preventDefault()
      }}
    >
      {children}
      {missing !== null && <span className="sr"> {t.ui.needsScopeInBrackets(missing)}</span>}
      {busy && <span className="sr"> {t.ui.inProgress}</span>}
    </button>
  )
}
