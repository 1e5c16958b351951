import { useState } from 'react'
import { areShortcutsOn, turnShortcuts } from '../../app/shortcuts.ts'
import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

const shortcuts = [
  [t.palette.ctrlKOr, t.palette.searchAndAct],
  ['j, k', t.palette.nextOrPreviousRow],
  ['x', t.palette.chooseRowWithShiftAll],
  ['Enter', t.palette.openRow],
  ['Escape', t.palette.closeMostFormsKeep],
  ['?', t.palette.showThisList],
] as const

export default function ShortcutsHelp({ onClose }: { onClose(): void }) {
  const [isOn, setIsOn] = useState(areShortcutsOn)
  const turn = () => {
    turnShortcuts(!isOn)
    setIsOn(!isOn)
  }
  return (
    <Dialog title={t.palette.keyboardShortcuts} onClose={onClose}>
      <dl className="facts">
        {shortcuts.map(([keys, means]) => (
          <div key={keys} className="fact">
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{means}</dd>
          </div>
        ))}
      </dl>
      <div className="check">
        <input id="shortcuts-on" type="checkbox" checked={isOn} onChange={turn} />
        <label htmlFor="shortcuts-on">{t.palette.shortcutsOfSingleKey}</label>
        <span className="hint">{t.palette.turnThemOffIfYou}</span>
      </div>
      <div className="actions">
        <Button onClick={onClose}>{t.palette.close}</Button>
      </div>
    </Dialog>
  )
}
