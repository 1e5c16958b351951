import { useState } from 'react'
import { areShortcutsOn, turnShortcuts } from '../../app/shortcuts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

const shortcuts = [
  ['Ctrl K or /', 'Search and act'],
  ['j, k', 'Next or previous row'],
  ['x', 'Choose the row; with Shift, all rows up to it by mouse'],
  ['Enter', 'Open the row'],
  ['Escape', 'Close; what you typed is kept'],
  ['?', 'Show this list'],
] as const

export default function ShortcutsHelp({ onClose }: { onClose(): void }) {
  const [isOn, setIsOn] = useState(areShortcutsOn)
  const turn = () => {
    turnShortcuts(!isOn)
    setIsOn(!isOn)
  }
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
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
        <label htmlFor="shortcuts-on">Shortcuts of a single key</label>
        <span className="hint">Turn them off if you dictate. Ctrl K always works.</span>
      </div>
      <div className="actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}
