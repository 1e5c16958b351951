import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useRouter } from '../../app/router.tsx'
import { useSession } from '../../app/session.ts'
import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { type Entry, entries, entriesFor } from './entries.ts'
import { useFoundThings } from './found-things.ts'

const pauseMs = 250

/** The dialog of Ctrl+K: searches the pages, the actions and the project's records. */
export default function Palette({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('')
  const [searched, setSearched] = useState('')
  const [at, setAt] = useState(0)
  const list = useId()
  const { go } = useRouter()
  const { scopes } = useSession()
  const { found, isSearching, failure } = useFoundThings(searched)
  useEffect(() => {
    const timer = setTimeout(() => setSearched(text.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  const allowed = entries.filter(({ needs }) => !needs || scopes.includes(needs))
  const shown = [...entriesFor(text, allowed), ...(text.trim() === searched ? found : [])]
  const active = Math.min(at, shown.length - 1)
  const open = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    go(entry.to)
  }
  const steer = (event: KeyboardEvent) => {
    const next = { ArrowDown: active + 1, ArrowUp: active - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    setAt((next + shown.length) % Math.max(1, shown.length))
  }
  const isWaiting = isSearching || text.trim() !== searched
  const outcome = failure ?? (shown.length > 0 ? '' : t.palette.noResultsTryPartOf)
  return (
    <Dialog title={t.palette.searchAndAct} onClose={onClose} onSubmit={() => open(shown[active])}>
      <input
        className="input"
        role="combobox"
        aria-label={t.palette.searchPetsOrdersKeysPages}
        aria-expanded={shown.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={shown.length > 0 ? `${list}-${active}` : undefined}
        placeholder={t.palette.nameReferenceIdPage}
        autoComplete="off"
        autoFocus
        value={text}
        onKeyDown={steer}
        onChange={event => {
          setText(event.target.value)
          setAt(0)
        }}
      />
      <div className="palette" id={list} role="listbox" aria-label={t.palette.results}>
        {shown.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys, as a combobox does.
          <div
            key={entry.id}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            ref={index === active ? bringIntoView : null}
            onClick={() => open(entry)}
          >
            <span className="break">{entry.label}</span>
            <span className="soft small">{entry.kind}</span>
          </div>
        ))}
      </div>
      <p className="soft small" role="status">
        {!isWaiting ? outcome : shown.length > 0 ? '' : t.palette.searching}
      </p>
      <div className="actions">
        <Button onClick={onClose}>{t.palette.close}</Button>
      </div>
    </Dialog>
  )
}

function bringIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' })
}
