import { useEffect, useState } from 'react'

/** Whether files are held over the page; what is dropped anywhere on it is given to `take`, or nowhere where that is null. */
export function useFileDrop(take: ((files: readonly File[]) => void) | null): boolean {
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    if (take === null) return
    const leave = new AbortController()
    const hear = (name: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void) =>
      addEventListener(name, event => event.dataTransfer?.types.includes('Files') && act(event), leave)
    hear('dragover', event => {
      // Or the browser would open the file in place of the page.
      event.preventDefault()
      setIsOver(isFree(event))
    })
    hear('dragleave', event => event.relatedTarget === null && setIsOver(false))
    hear('drop', event => {
      event.preventDefault()
      setIsOver(false)
      if (isFree(event)) take([...(event.dataTransfer?.files ?? [])])
    })
    return () => leave.abort()
  }, [take])
  return isOver
}

/** What another dialog asks comes first; one that takes files says so. */
function isFree({ target }: DragEvent): boolean {
  const dialog = target instanceof Element ? target.closest('dialog') : null
  return dialog === null || dialog.querySelector('[data-takes-files]') !== null
}
