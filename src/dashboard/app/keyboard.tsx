import { lazy, Suspense, useEffect, useState } from 'react'
import { chooseInList, moveInList, shortcutOf } from './shortcuts.ts'

const Palette = lazy(() => import('../pages/palette/palette.tsx'))
const Shortcuts = lazy(() => import('../pages/palette/shortcuts-help.tsx'))

const opening = new EventTarget()
export const openPalette = () => opening.dispatchEvent(new Event('palette'))

/** Listens for shortcuts, on every page. */
export function Keyboard() {
  const [shown, setShown] = useState<'palette' | 'help' | null>(null)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const shortcut = shortcutOf(event)
      if (!shortcut) return
      event.preventDefault()
      if (shortcut === 'next') moveInList(1)
      else if (shortcut === 'previous') moveInList(-1)
      else if (shortcut === 'choose') chooseInList()
      else setShown(shortcut)
    }
    const open = () => setShown('palette')
    document.addEventListener('keydown', press)
    opening.addEventListener('palette', open)
    return () => {
      document.removeEventListener('keydown', press)
      opening.removeEventListener('palette', open)
    }
  }, [])
  const close = () => setShown(null)
  return (
    <Suspense>
      {shown === 'palette' && <Palette onClose={close} />}
      {shown === 'help' && <Shortcuts onClose={close} />}
    </Suspense>
  )
}
