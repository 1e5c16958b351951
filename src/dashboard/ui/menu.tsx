import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../texts/pages.ts'
import { Button } from './button.tsx'
import { MoreIcon } from './icons.tsx'

export type MenuItem = {
  label: string
  icon?: ReactNode
  danger?: boolean
  missing?: string | null
  act(): void
}

type Props = {
  label: string
  items: MenuItem[]
  /** Shown on the button in place of the three dots. */
  text?: string
  /** True if the menu opens above the button. */
  isUp?: boolean
}

/** A menu with the actions of one row, or of the chosen rows. */
export function Menu({ label, items, text, isUp = false }: Props) {
  const [open, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const button = () => place.current?.querySelector('button')
  const choices = () => [...(place.current?.querySelectorAll<HTMLButtonElement>('[role=menuitem]') ?? [])]

  useEffect(() => {
    if (!open) return
    choices()[0]?.focus()
    const closeOutside = (event: Event) => {
      if (!place.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [open])

  const steer = (event: KeyboardEvent) => {
    if (!open) return
    const all = choices()
    const here = all.indexOf(document.activeElement as HTMLButtonElement)
    const next = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: all.length - 1 }[event.key]
    if (next !== undefined) {
      event.preventDefault()
      all[(next + all.length) % all.length]?.focus()
    }
    if (event.key === 'Escape') button()?.focus()
    if (event.key === 'Escape' || event.key === 'Tab') setOpen(false)
  }

  return (
    <div className={isUp ? 'menu up' : 'menu'} ref={place} onKeyDown={steer}>
      <Button
        kind={text ? 'plain' : 'quiet'}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        onClick={() => setOpen(!open)}
      >
        {text ?? <MoreIcon />}
      </Button>
      {open && (
        <ul role="menu" aria-label={label}>
          {items.map(item => (
            <li key={item.label} role="none">
              <button
                type="button"
                role="menuitem"
                tabIndex={-1}
                className={item.danger ? 'danger' : ''}
                aria-disabled={item.missing ? true : undefined}
                title={item.missing ? t.ui.needsScope(item.missing) : undefined}
                onClick={() => {
                  if (item.missing) return
                  button()?.focus()
                  setOpen(false)
                  item.act()
                }}
              >
                {item.icon}
                {item.label}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
