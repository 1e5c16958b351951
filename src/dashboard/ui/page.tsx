import { type ReactNode, useEffect, useRef } from 'react'
import { t } from '../texts/index.ts'

let visited = false

/** The head of a page: sets the window's title and takes the focus after a navigation. */
export function PageHead({
  title,
  children,
  actions,
}: {
  title: string
  children?: ReactNode
  actions?: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = t.ui.titleAnimalStore(title)
    if (visited) heading.current?.focus({ preventScroll: true })
    visited = true
  }, [title])
  return (
    <header className="page-head">
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children && <p>{children}</p>}
      </div>
      {actions && <div className="row">{actions}</div>}
    </header>
  )
}
