import { useEffect, useState } from 'react'
import { followEvents, type StreamedEvent } from '../app/event-stream.ts'
import { isOwnChange, onOwnChange } from '../app/own-changes.ts'
import { useMissing, useSession } from '../app/session.ts'
import { number } from '../texts/format.ts'
import { t } from '../texts/pages.ts'
import { Button } from './button.tsx'

type Props = {
  types: readonly string[]
  /** True if the list would show this pet or order. */
  isListed(data: Record<string, unknown>): boolean
  /** Ids of the listed rows. A change of a listed row is counted even if the row then leaves the list. */
  shown: readonly string[]
  show(): void
}

/** Open the stream only after this time: a reader who leaves the page at once needs none. */
const waitMs = 2_000

/** Counts the changes that others make to an open list, from the stream of events. A click shows them. */
export function News({ types, isListed, shown, show }: Props) {
  const { key } = useSession()
  const isMissing = useMissing('events_read') !== null
  const [events, setEvents] = useState<readonly StreamedEvent[]>([])
  const [, setOwnChanges] = useState(0)
  useEffect(() => onOwnChange(() => setOwnChanges(count => count + 1)), [])
  useEffect(() => {
    if (isMissing) return
    let leave = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = () => {
      leave.abort()
      clearTimeout(timer)
      // Drop the counted changes, because the list is read again when the tab becomes visible.
      setEvents([])
      if (document.visibilityState !== 'visible') return
      leave = new AbortController()
      const { signal } = leave
      const note = (event: StreamedEvent) => setEvents(before => [...before, event])
      timer = setTimeout(() => void followEvents(key, types, signal, note), waitMs)
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      clearTimeout(timer)
      leave.abort()
    }
  }, [key, isMissing, types])
  const others = events.filter(
    ({ subject, data }) =>
      subject === undefined || (!isOwnChange(subject) && (shown.includes(subject) || isListed(data))),
  )
  const single = new Set(others.flatMap(({ subject }) => subject ?? [])).size
  const many = others.reduce((sum, { subject, data }) => sum + (subject ? 0 : Number(data.count ?? 1)), 0)
  const count = single + many
  const act = () => {
    setEvents([])
    show()
  }
  return (
    <div role="status">
      {count > 0 && (
        <Button className="news" onClick={act}>
          {t.ui.countChangedByOthersShow(number(count))}
        </Button>
      )}
    </div>
  )
}
