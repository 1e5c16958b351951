import { useEffect, useState } from 'react'

/** Passes dropped files to `take`; null ignores them. Returns true while files are dragged over the page. */
export function useFileDrop(take: ((files: readonly File[]) => void) | null): boolean {
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    if (take === null) return
    const leave = new AbortController()
    const listen = (name: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void) =>
      addEventListener(name, event => event.dataTransfer?.types.includes('Files') && act(event), leave)
    listen('dragover', event => {
      // Without this, the browser would open the file instead of the page.
      event.preventDefault()
      setIsOver(isFree(event))
    })
    listen('dragleave', event => event.relatedTarget === null && setIsOver(false))
    listen('drop', event => {
      event.preventDefault()
      setIsOver(false)
      if (isFree(event)) take([...(event.dataTransfer?.files ?? [])])
    })
    return () => leave.abort()
  }, [take])
  return isOver
}

/** An open dialog blocks drops, unless it accepts files itself. */
function isFree({ target }: DragEvent): boolean {
  const dialog = target instanceof Element ? target.closest('dialog') : null
  return dialog === null || dialog.querySelector('[data-takes-files]') !== null
}
