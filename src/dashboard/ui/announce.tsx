import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { CloseIcon, GoodIcon } from './icons.tsx'

/** Says what was done; `about` is the id of what it was done to, which the list then shows marked. */
type Announce = (text: string, about?: string) => void
const AnnounceContext = createContext<Announce>(() => {})
const MarkContext = createContext<string | null>(null)

export const useAnnounce = () => use(AnnounceContext)

/** What a list gives to the row of that id: a mark, and a place in the window, after the last act was about it. */
export function useMark(id: string) {
  return use(MarkContext) === id ? { 'data-marked': true, ref: bringIntoView } : {}
}

function bringIntoView(row: HTMLElement | null): void {
  row?.scrollIntoView({ block: 'nearest' })
}

const shownMs = 8000

export function Announcer({ children }: { children: ReactNode }) {
  // A new object each time, so that the same words twice are two announcements.
  const [said, setSaid] = useState<{ text: string } | null>(null)
  const [mark, setMark] = useState<string | null>(null)
  const [announce] = useState(
    (): Announce => (text, about) => {
      setSaid({ text })
      setMark(about ?? null)
    },
  )
  return (
    <AnnounceContext value={announce}>
      <MarkContext value={mark}>{children}</MarkContext>
      <div className="toast" role="status">
        {said && <Toast key={said.text} text={said.text} onEnd={() => setSaid(null)} />}
      </div>
    </AnnounceContext>
  )
}

/** Goes by itself, though not from under a pointer or the focus. */
function Toast({ text, onEnd }: { text: string; onEnd(): void }) {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(onEnd, shownMs)
    return () => clearTimeout(timer)
  }, [held, onEnd])
  const hold = () => setHeld(true)
  const release = () => setHeld(false)
  return (
    <div onPointerEnter={hold} onPointerLeave={release} onFocus={hold} onBlur={release}>
      <GoodIcon />
      <p className="break">{text}</p>
      <Button kind="quiet" onClick={onEnd} aria-label="Close this message">
        <CloseIcon />
      </Button>
    </div>
  )
}
