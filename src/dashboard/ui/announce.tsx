import {
  createContext,
  type ReactNode,
  type Ref,
  use,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { t } from '../texts/index.ts'
import { Button } from './button.tsx'
import { CloseIcon, GoodIcon, WarnIcon } from './icons.tsx'

type More = {
  /** Undoes the action. Returns the text to announce. Throws an error whose message can be shown to the reader. */
  undo?: () => Promise<string>
  /** Called once when the action can no longer be undone. */
  otherwise?: () => Promise<void>
  isProblem?: boolean
}
/** Announces the result of an action. `about` is the id of the row to highlight. */
export type Announce = (text: string, about?: string, more?: More) => void
type Said = More & { number: number; text: string }

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
const undoMs = 10_000
let numbers = 0

export type Announcements = {
  announce: Announce
  /** Carries out at once the actions that wait for the end of their undo time, for example before signing out. */
  settleAll(): Promise<unknown>
}

export function Announcer({ ref, children }: { ref: Ref<Announcements>; children: ReactNode }) {
  const [said, setSaid] = useState<readonly Said[]>([])
  const [mark, setMark] = useState<string | null>(null)
  const waiting = useRef(new Map<number, () => Promise<void>>())
  const settle = (number: number) => {
    const otherwise = waiting.current.get(number)
    waiting.current.delete(number)
    return otherwise?.()
  }
  const settleAll = () => {
    setSaid(before => before.filter(({ otherwise }) => !otherwise))
    return Promise.allSettled([...waiting.current.keys()].map(settle))
  }
  const [announce] = useState(
    (): Announce =>
      (text, about, more = {}) => {
        const next = { ...more, text, number: ++numbers }
        if (more.otherwise) waiting.current.set(next.number, more.otherwise)
        // A new text replaces the older ones, except texts with an Undo button, which stay until their time for undo
        // ends.
        setSaid(before => [...before.filter(({ undo }) => undo), next])
        setMark(about ?? null)
      },
  )
  useImperativeHandle(ref, () => ({ announce, settleAll }), [])
  useEffect(() => {
    addEventListener('pagehide', settleAll)
    return () => {
      removeEventListener('pagehide', settleAll)
      void settleAll()
    }
  }, [])
  const close = ({ number }: Said) => {
    setSaid(before => before.filter(other => other.number !== number))
    void settle(number)
  }
  const undo = (what: Said) => {
    waiting.current.delete(what.number)
    close(what)
    what.undo?.().then(
      text => announce(text),
      ({ message }: Error) => announce(message, undefined, { isProblem: true }),
    )
  }
  return (
    <AnnounceContext value={announce}>
      <MarkContext value={mark}>{children}</MarkContext>
      <div className="toast" role="status">
        {said.map(what => (
          <Toast key={what.number} {...what} onUndo={() => undo(what)} onEnd={() => close(what)} />
        ))}
      </div>
    </AnnounceContext>
  )
}

type ToastProps = Said & { onUndo(): void; onEnd(): void }

/** Disappears after a while, unless the pointer or the focus is on it. */
function Toast({ text, undo, isProblem, onUndo, onEnd }: ToastProps) {
  const [held, setHeld] = useState(false)
  const end = useRef(onEnd)
  end.current = onEnd
  const ms = undo ? undoMs : shownMs
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => end.current(), ms)
    return () => clearTimeout(timer)
  }, [held, ms])
  const hold = () => setHeld(true)
  const release = () => setHeld(false)
  return (
    <div onPointerEnter={hold} onPointerLeave={release} onFocus={hold} onBlur={release}>
      {isProblem ? <WarnIcon /> : <GoodIcon />}
      <p className="break">{text}</p>
      <div className="row tight">
        {undo && <Button onClick={onUndo}>{t.ui.undo}</Button>}
        <Button kind="quiet" onClick={onEnd} aria-label={t.ui.closeThisMessage}>
          <CloseIcon />
        </Button>
      </div>
    </div>
  )
}
