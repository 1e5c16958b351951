import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { CloseIcon, GoodIcon } from './icons.tsx'

/** Announces the result of an action. `about` is the id of the row to highlight. */
type Announce = (text: string, about?: string) => void
const AnnounceContext = createContext<Announce>(() => {})
const MarkContext = createContext<string | null>(null)

export const useAnnounce = () => use(AnnounceContext)

/** Highlights the row with this id, and scrolls to it, after an announcement about it. */
export function useMark(id: string) {
  return use(MarkContext) === id ? { 'data-marked': true, ref: bringIntoView } : {}
}

function bringIntoView(row: HTMLElement | null): void {
  row?.scrollIntoView({ block: 'nearest' })
}

const shownMs = 8000

export function Announcer({ children }: { children: ReactNode }) {
  // A new object each time, so that a repeated text is announced again.
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

/** Disappears after a while, unless the pointer or the focus is on it. */
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
