import { type ComponentType, useEffect, useState } from 'react'
import { t } from '../texts/index.ts'
import { useAnnounce } from '../ui/announce.tsx'
import { chooseInList, moveInList, shortcutOf } from './shortcuts.ts'

const dialogs = {
  palette: () => import('../pages/palette/palette.tsx'),
  help: () => import('../pages/palette/shortcuts-help.tsx'),
}

const opening = new EventTarget()
export const openPalette = () => opening.dispatchEvent(new Event('palette'))

/** Listens for shortcuts, on every page. */
export function Keyboard() {
  const [Shown, setShown] = useState<ComponentType<{ onClose(): void }> | null>(null)
  const announce = useAnnounce()
  useEffect(() => {
    const open = (dialog: keyof typeof dialogs) =>
      dialogs[dialog]().then(
        code => setShown(() => code.default),
        () => announce(t.ui.partOfThisPageCouldNot, undefined, { isProblem: true }),
      )
    const press = (event: KeyboardEvent) => {
      const shortcut = shortcutOf(event)
      if (!shortcut) return
      event.preventDefault()
      if (shortcut === 'next') moveInList(1)
      else if (shortcut === 'previous') moveInList(-1)
      else if (shortcut === 'choose') chooseInList()
      else void open(shortcut)
    }
    const openFromMenu = () => void open('palette')
    document.addEventListener('keydown', press)
    opening.addEventListener('palette', openFromMenu)
    return () => {
      document.removeEventListener('keydown', press)
      opening.removeEventListener('palette', openFromMenu)
    }
  }, [])
  return Shown && <Shown onClose={() => setShown(null)} />
}
